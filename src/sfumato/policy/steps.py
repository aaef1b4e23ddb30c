"""The steps of a policy: detectors and protectors by name, with their options."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import (
    BaseModel,
    ConfigDict,
    GetJsonSchemaHandler,
    SerializationInfo,
    SerializeAsAny,
    ValidationError,
    ValidationInfo,
    model_serializer,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from sfumato.plugins import (
    DETECTORS,
    PROTECTORS,
    O,
    Options,
    P,
    ProtectorPlugin,
    Registry,
    StepPlugin,
)


class NamedPlugin(BaseModel):
    """A plug-in that a policy names, with its options: `patterns` or `{patterns: {…}}`."""

    model_config = ConfigDict(frozen=True)

    registry: ClassVar[Registry[Any]]
    beside: ClassVar[tuple[str, ...]] = ()  # what stands beside the options, where all are together
    name: str
    options: SerializeAsAny[Options]

    @model_validator(mode="before")
    @classmethod
    def _parse(cls, value: Any, info: ValidationInfo) -> Any:
        if isinstance(value, cls):
            return value
        name, options = (value, {}) if isinstance(value, str) else cls._split(value)
        model, place = registered(cls.registry, name).options, () if cls.beside else (name,)
        made = validated(model, options, info.context, place=place, others=cls.beside)
        return {"name": name, "options": made}

    @classmethod
    def _split(cls, value: Any) -> tuple[str, Any]:
        """The name and the options of what a policy says."""
        if not isinstance(value, Mapping) or len(value) != 1:
            raise PydanticCustomError(
                "step", f"should be a {cls.registry.sort}'s name, or one name with its options"
            )
        ((name, options),) = value.items()
        return str(name), options or {}

    @property
    def plugin(self) -> StepPlugin:
        """What is registered under the name."""
        found: StepPlugin = self.registry.get(self.name)
        return found

    @model_serializer
    def _write(self, info: SerializationInfo) -> dict[str, Any]:
        written = self.options.model_dump(exclude_defaults=True, mode="json", context=info.context)
        return {self.name: written}

    @classmethod
    def _form(cls, name: str, options: JsonSchemaValue) -> JsonSchemaValue:
        """The schema of what a policy says, from that of the options."""
        form = {"type": "object", "properties": {name: options}, "required": [name]}
        return form | {"additionalProperties": False}

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        names = cls.registry.names()
        written = ((n, cls.registry.get(n).options.__pydantic_core_schema__) for n in names)
        forms = [cls._form(name, handler(options)) for name, options in written]
        return {"anyOf": [{"enum": names}, *forms], "description": cls.__doc__}


class DetectStep(NamedPlugin):
    """A detector by name, with its options: `patterns` or `{patterns: {…}}`."""

    registry: ClassVar[Registry[Any]] = DETECTORS


class ProtectStep(NamedPlugin):
    """A protector by name, with its options: `replace` or `{replace: {…}}`."""

    registry: ClassVar[Registry[Any]] = PROTECTORS

    @property
    def plugin(self) -> ProtectorPlugin:
        """What is registered under the step's name."""
        return PROTECTORS.get(self.name)


def registered(registry: Registry[P], name: str) -> P:
    """The plug-in that a policy names; an error with the nearest name where there is none."""
    plugin = registry.find(name)
    if plugin is None:
        message = f"unknown {registry.sort} '{name}'{nearest(name, registry.names())}"
        raise PydanticCustomError("unknown_plugin", "{message}", {"message": message})
    return plugin


def validated(
    model: type[O],
    settings: Any,
    context: Any,
    *,
    place: tuple[str, ...] = (),
    others: tuple[str, ...] = (),
) -> O:
    """The options of a plug-in, or errors at their `place`; `others` are settings beside the options."""
    try:
        return model.model_validate(settings, context=context)
    except ValidationError as error:
        known = sorted({*model.model_fields, *others})
        raise ValidationError.from_exception_data(
            error.title,
            [
                {
                    "type": PydanticCustomError(
                        e["type"],
                        "{message}",
                        {"message": e["msg"], "known": known if len(e["loc"]) == 1 else []},
                    ),
                    "loc": (*place, *e["loc"]),
                    "input": e["input"],
                }
                for e in error.errors()
            ],
        ) from None


def steps_for_readers() -> str:
    """The protectors that make a difference between readers, for the end of an error's line."""
    found = [name for name in PROTECTORS.names() if PROTECTORS.get(name).readers is not None]
    return f"add a step that does: {', '.join(found)}"


def nearest(given: str, known: list[str] | tuple[str, ...]) -> str:
    """What was probably meant, for the end of an error's line."""
    close = difflib.get_close_matches(given, known, n=1, cutoff=0.5)
    if close:
        return f"; did you mean '{close[0]}'?"
    return f"; valid: {', '.join(known)}" if known else ""
