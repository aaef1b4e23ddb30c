"""The rules of a policy: what happens to a kind of term, as a replacement method with its settings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from pydantic import Field, SerializationInfo, model_serializer
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import PydanticCustomError

from sfumato.kinds import label_word, label_words
from sfumato.plugins import METHODS, MethodPlugin, Options, Registry
from sfumato.policy.steps import NamedPlugin


class Label(Options):
    """What it is in brackets, with a number of its own: `[PERSON 1]`, `[HOSPITAL 2]`."""

    text: str = Field(
        "[{kind} {number}]",
        description="The label; {kind} stands for what it is, {number} for the thing's number in the "
        "document. `[{kind}]` is a label without numbers.",
    )

    def of(self, kind: str, number: int | str = "", word: str = "") -> str:
        """The label of a kind, or of a more exact word for it; without a number, what stands before that goes
        as well.

        >>> Label().of("PERSON", 2), Label().of("LOC"), Label().of("ORG", 1, "BANK")
        ('[PERSON 2]', '[PLACE]', '[BANK 1]')
        """
        text = self.text if number != "" else re.sub(r"(?<![\s_-])[\s_-]*\{number\}", "", self.text)
        return text.replace("{kind}", word or label_word(kind)).replace("{number}", str(number))

    def forms(self, kind: str) -> Iterator[re.Pattern[str]]:
        """What labels of a kind look like, for each word that it has there."""
        return (self.form(kind, word) for word in label_words(kind))

    def form(self, kind: str, word: str = "") -> re.Pattern[str]:
        """What labels look like, with any number (the first group) or none; where a place has no spaces, with
        hyphens."""
        mark = "\0"
        numbered = re.escape(self.of(kind, mark, word)).replace(re.escape(mark), r"(\d{1,9})", 1)
        plain = re.escape(self.of(kind, word=word))
        return re.compile(f"{numbered}|{plain}".replace(r"\ ", "[ -]"))


class Keep(Options):
    """The term stays as it is."""


class Rule(NamedPlugin):
    """A replacement method by name, with its settings: `bucket` or `{how: bucket, …}`."""

    registry: ClassVar[Registry[Any]] = METHODS
    beside: ClassVar[tuple[str, ...]] = ("how",)

    @property
    def how(self) -> str:
        """The method's name."""
        return self.name

    @property
    def plugin(self) -> MethodPlugin:
        """What is registered under the method's name."""
        return METHODS.get(self.name)

    @classmethod
    def _split(cls, value: Any) -> tuple[str, Any]:
        if not isinstance(value, Mapping) or "how" not in value:
            raise PydanticCustomError(
                "rule", "should be a method's name, or `{how: name, …}` with its settings"
            )
        return str(value["how"]), {name: value[name] for name in value if name != "how"}

    @model_serializer
    def _write(self, info: SerializationInfo) -> dict[str, Any]:
        return {"how": self.how, **self.options.model_dump(mode="json", context=info.context)}

    def shortest(self) -> str | dict[str, Any]:
        """The rule as people write it: without what is usual."""
        settings = self.options.model_dump(mode="json", exclude_defaults=True)
        return {**settings, "how": self.how} if settings else self.how

    @classmethod
    def _form(cls, name: str, options: JsonSchemaValue) -> JsonSchemaValue:
        options["properties"] = {
            "how": {"const": name, "type": "string"},
            **options.get("properties", {}),
        }
        return options | {"required": ["how", *options.get("required", [])]}
