"""The steps of a policy: detectors and protectors by name, with their options."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import (
    BaseModel,
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

from sfumato import plugins
from sfumato.plugins import Options


class Step(BaseModel):
    """One detector or protector by name, with its options: `patterns` or `{patterns: {…}}`."""

    sort: ClassVar[str]
    name: str
    options: SerializeAsAny[Options]

    @model_validator(mode="before")
    @classmethod
    def _parse(cls, value: Any, info: ValidationInfo) -> Any:
        if isinstance(value, cls):
            return value
        if isinstance(value, str):
            value = {value: {}}
        if not isinstance(value, Mapping) or len(value) != 1:
            raise PydanticCustomError(
                "step", f"should be a {cls.sort}'s name, or one name with its options"
            )
        ((name, options),) = value.items()
        plugin = plugins.find(cls.sort, str(name))
        if plugin is None:
            known = plugins.names(cls.sort)
            raise PydanticCustomError(
                "unknown_step",
                "{message}",
                {"message": f"unknown {cls.sort} '{name}'{nearest(str(name), known)}"},
            )
        try:
            return {
                "name": name,
                "options": plugin.options.model_validate(options or {}, context=info.context),
            }
        except ValidationError as error:
            raise ValidationError.from_exception_data(
                error.title,
                [
                    {
                        "type": PydanticCustomError(e["type"], "{message}", {"message": e["msg"]})
                        if e["type"] != "extra_forbidden"
                        else "extra_forbidden",
                        "loc": (str(name), *e["loc"]),
                        "input": e["input"],
                    }
                    for e in error.errors()
                ],
            ) from None

    @model_serializer
    def _write(self, info: SerializationInfo) -> dict[str, Any]:
        written = self.options.model_dump(exclude_defaults=True, mode="json", context=info.context)
        return {self.name: written}

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        forms: list[JsonSchemaValue] = [{"enum": plugins.names(cls.sort)}]
        for name in plugins.names(cls.sort):
            plugin = plugins.get(cls.sort, name)
            forms.append(
                {
                    "type": "object",
                    "properties": {name: handler(plugin.options.__pydantic_core_schema__)},
                    "required": [name],
                    "additionalProperties": False,
                }
            )
        return {"anyOf": forms, "description": cls.__doc__}


class DetectStep(Step):
    """A detector by name, with its options: `patterns` or `{patterns: {…}}`."""

    sort: ClassVar[str] = "detector"


class ProtectStep(Step):
    """A protector by name, with its options: `replace` or `{replace: {…}}`."""

    sort: ClassVar[str] = "protector"


def nearest(given: str, known: list[str] | tuple[str, ...]) -> str:
    """What was probably meant, for the end of an error's line."""
    close = difflib.get_close_matches(given, known, n=1, cutoff=0.5)
    if close:
        return f"; did you mean '{close[0]}'?"
    return f"; valid: {', '.join(known)}" if known else ""
