"""The rules of a policy: what happens to a kind of term, as a replacement method with its settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    SerializationInfo,
    SerializeAsAny,
    ValidationInfo,
    model_serializer,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from sfumato.plugins import METHODS, MethodPlugin, Options
from sfumato.policy.steps import registered, validated


class Label(Options):
    """The kind in brackets: `[PERSON]`."""

    text: str = Field("[{kind}]", description="The label; {kind} stands for the kind.")

    def of(self, kind: str) -> str:
        """The label of a kind.

        >>> Label().of("PERSON")
        '[PERSON]'
        """
        return self.text.replace("{kind}", kind)


class Keep(Options):
    """The term stays as it is."""


class Rule(BaseModel):
    """A replacement method by name, with its settings: `bucket` or `{how: bucket, …}`."""

    model_config = ConfigDict(frozen=True)

    how: str
    options: SerializeAsAny[Options]

    @model_validator(mode="before")
    @classmethod
    def _parse(cls, value: Any, info: ValidationInfo) -> Any:
        if isinstance(value, cls):
            return value
        if isinstance(value, str):
            value = {"how": value}
        if not isinstance(value, Mapping) or "how" not in value:
            raise PydanticCustomError(
                "rule", "should be a method's name, or `{how: name, …}` with its settings"
            )
        plugin = registered(METHODS, str(value["how"]))
        settings = {name: setting for name, setting in value.items() if name != "how"}
        options = validated(plugin.options, settings, info.context, others=("how",))
        return {"how": plugin.name, "options": options}

    @property
    def plugin(self) -> MethodPlugin:
        """What is registered under the method's name."""
        return METHODS.get(self.how)

    @model_serializer
    def _write(self, info: SerializationInfo) -> dict[str, Any]:
        return {"how": self.how, **self.options.model_dump(mode="json", context=info.context)}

    def shortest(self) -> str | dict[str, Any]:
        """The rule as people write it: without what is usual."""
        settings = self.options.model_dump(mode="json", exclude_defaults=True)
        return {**settings, "how": self.how} if settings else self.how

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        forms: list[JsonSchemaValue] = [{"enum": METHODS.names()}]
        for name in METHODS.names():
            form = handler(METHODS.get(name).options.__pydantic_core_schema__)
            how = {"const": name, "type": "string"}
            form["properties"] = {"how": how, **form.get("properties", {})}
            form["required"] = ["how", *form.get("required", [])]
            forms.append(form)
        return {"anyOf": forms, "description": cls.__doc__}
