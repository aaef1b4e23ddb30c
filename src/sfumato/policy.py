"""Policy: all that a user can set, in one model, one YAML file, one JSON schema."""

from __future__ import annotations

import difflib
import hashlib
import json
import re
from collections.abc import Mapping
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, get_args

import yaml
from pydantic import (
    BaseModel,
    Field,
    GetJsonSchemaHandler,
    SerializationInfo,
    SerializeAsAny,
    StringConstraints,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_serializer,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from sfumato import plugins
from sfumato.errors import PolicyError
from sfumato.kinds import rule_chain
from sfumato.plugins import Options
from sfumato.tabular import original
from sfumato.tabular.settings import ColumnSettings, TableSettings

KindName = Annotated[str, StringConstraints(pattern=r"^(\*|[A-Z][A-Z0-9_]*)$")]


class Label(Options):
    """The kind in brackets: `[PERSON]`."""

    how: Literal["label"] = "label"
    text: str = Field("[{kind}]", description="The label; {kind} stands for the kind.")


class Mask(Options):
    """Every letter and digit covered, the length and the punctuation kept: `****-****`."""

    how: Literal["mask"] = "mask"
    char: Annotated[str, StringConstraints(min_length=1, max_length=1)] = Field(
        "*", description="What covers a character."
    )
    keep_last: int = Field(0, ge=0, le=4, description="Letters and digits left at the end.")


class Remove(Options):
    """Nothing is left."""

    how: Literal["remove"] = "remove"


class Keep(Options):
    """The term stays as it is."""

    how: Literal["keep"] = "keep"


class Bucket(Options):
    """A number becomes the range it lies in: 47 -> 40-49."""

    how: Literal["bucket"] = "bucket"
    width: int = Field(10, ge=2, description="The range's width.")
    top: int | None = Field(
        None,
        ge=1,
        description="From this number on there is one open range, e.g. 90: `90 or older`.",
    )
    below_top: Literal["bucket", "keep"] = Field(
        "bucket", description="What happens below `top`: ranges, or the number as it is."
    )


class Reduce(Options):
    """A date loses its finer parts: 14 May 2004 -> May 2004, 2004 or the 2000s."""

    how: Literal["reduce"] = "reduce"
    to: Literal["month", "year", "decade"] = Field(
        "year", description="The finest part that stays."
    )


class Truncate(Options):
    """A postcode or code keeps its first characters: 02139 -> 021**."""

    how: Literal["truncate"] = "truncate"
    keep: int = Field(3, ge=0, description="Letters and digits kept at the front.")
    sparse_zip: bool = Field(
        False, description="ZIP areas of fewer than 20,000 people become 000 (HIPAA safe harbor)."
    )


class Shift(Options):
    """Every date moves by one secret number of days: order and distances stay."""

    how: Literal["shift"] = "shift"
    days: int = Field(365, ge=7, le=36525, description="The largest move, either way.")
    per: Literal["document", "person", "corpus"] = Field(
        "document", description="What shares one offset."
    )
    person: str | None = Field(
        None,
        description="With `per: person`: a pattern on the document's name; group 1 is the person.",
    )

    @model_validator(mode="after")
    def _person_needs_a_pattern(self) -> Shift:
        if self.per == "person" and not self.person:
            raise ValueError("`per: person` needs `person`, a pattern whose group 1 is the person")
        if self.person is not None:
            try:
                groups = re.compile(self.person).groups
            except re.error as error:
                raise ValueError(f"`person` is not a pattern: {error}") from None
            if groups < 1:
                raise ValueError("`person` needs a group: the part in (…) is the person")
        return self


class Pseudonym(Options):
    """A numbered name, by order of appearance in the document: `Person 1`."""

    how: Literal["pseudonym"] = "pseudonym"


class Surrogate(Options):
    """An invented value of the same kind and shape, the same one in the whole corpus."""

    how: Literal["surrogate"] = "surrogate"
    locale: str = Field("en_US", description="Where invented names come from (Faker's locales).")


class Hash(Options):
    """A keyed hash (HMAC-SHA-256): the same for the same term, useless without the key."""

    how: Literal["hash"] = "hash"
    length: int = Field(12, ge=8, le=64, description="Hexadecimal digits kept.")


class Encrypt(Options):
    """Encrypted in place (AES-SIV): whoever has the key reads it back."""

    how: Literal["encrypt"] = "encrypt"


class Generalise(Options):
    """A more general word, from the taxonomies: Boston -> Massachusetts. A label where none is known."""

    how: Literal["generalise"] = "generalise"
    least: int = Field(
        2,
        ge=2,
        description="How many things the word may stand for, at least: the first rung of the term's ladder "
        "with so many is taken.",
    )


AnyMethod = (
    Label
    | Mask
    | Remove
    | Keep
    | Bucket
    | Reduce
    | Truncate
    | Shift
    | Pseudonym
    | Surrogate
    | Hash
    | Encrypt
    | Generalise
)
Replacement = Annotated[AnyMethod, Field(discriminator="how")]
MODELS: tuple[type[Options], ...] = get_args(AnyMethod)
METHODS = tuple(str(model.model_fields["how"].default) for model in MODELS)


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
                {"message": f"unknown {cls.sort} '{name}'{_nearest(str(name), known)}"},
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


class Limits(Options):
    """What is refused rather than half done."""

    file_bytes: int = Field(
        25_000_000,
        ge=1,
        description="The largest file that is read, in bytes; a larger one is refused.",
    )


class Know(Options):
    """What the adversary knows, beyond what comes with the package."""

    taxonomies: tuple[str, ...] = Field(
        (),
        description="Taxonomies of your own, asked before all others: indented text, CSV of levels, SKOS "
        "or OBO. A relative path starts at the policy's folder.",
    )
    medical: tuple[Literal["phenotypes", "diseases", "diagnoses"], ...] = Field(
        (),
        description="Medical taxonomies that are asked next: the Human Phenotype Ontology, MONDO, "
        "ICD-10-CM. Needs the extra [medical].",
    )
    index: str | None = Field(
        None,
        description="Statistics of your own (`sfumato know build`), beside those that come along. A "
        "relative path starts at the policy's folder.",
    )
    weight: float = Field(
        0.5, ge=0, le=1, description="The share of your own statistics; the rest is ours."
    )

    @model_validator(mode="before")
    @classmethod
    def _from_the_policys_folder(cls, value: Any, info: ValidationInfo) -> Any:
        folder = (info.context or {}).get("folder")
        if not isinstance(value, Mapping) or not folder:
            return value
        files = value.get("taxonomies")
        made = dict(value)
        if isinstance(files, list | tuple):
            made["taxonomies"] = [str(Path(folder) / f) for f in files if isinstance(f, str)]
        if isinstance(value.get("index"), str):
            made["index"] = str(Path(folder) / value["index"])
        return made


class Policy(Options):
    """What is looked for, what happens to it, and what must be provable afterwards."""

    name: str = Field("custom", description="What reports call this policy.")
    description: str = Field("", description="One line for people.")
    language: str = Field("en", description="The language of the documents; English for now.")
    detect: tuple[DetectStep, ...] = Field(
        ("patterns", "personal"),
        validate_default=True,
        description="The detectors, in order; their findings are merged by one rule.",
    )
    protect: tuple[ProtectStep, ...] = Field(
        ("replace",),
        validate_default=True,
        description="The protectors, in order; each may make an earlier edit more general.",
    )
    replace: dict[KindName, Replacement] = Field(
        default_factory=dict,
        validate_default=True,
        description="What happens to a kind of term: a method's name, or `{how: name, …}` with its "
        "settings. `*` stands for every kind without a rule of its own.",
    )
    keep: tuple[str, ...] = Field(
        (), description="Terms that are never changed, in any case or form."
    )
    threshold: float = Field(
        0.5, ge=0, le=1, description="Findings with a lower score are left alone."
    )
    ledger: str | None = Field(
        None, description="The ledger's file, where the command line names none."
    )
    know: Know = Field(
        default_factory=Know, description="What the adversary knows: taxonomies and statistics."
    )
    limits: Limits = Field(default_factory=Limits, description="What is refused.")
    table: TableSettings | None = Field(
        None,
        description="Of policies for tables: what the columns are, and what must hold of them.",
    )

    @field_validator("language")
    @classmethod
    def _language(cls, value: str) -> str:
        if value != "en":
            raise ValueError(f"language '{value}' is not supported yet; use 'en'")
        return value

    @field_validator("replace", mode="before")
    @classmethod
    def _short_forms(cls, value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        return {k: {"how": v} if isinstance(v, str) else v for k, v in value.items()}

    @field_validator("replace", mode="after")
    @classmethod
    def _has_a_last_resort(cls, value: dict[str, Replacement]) -> dict[str, Replacement]:
        return value if "*" in value else {**value, "*": Label()}

    def rule(self, kind: str) -> Replacement:
        """What happens to terms of this kind."""
        return next(self.replace[name] for name in rule_chain(kind) if name in self.replace)

    @cached_property
    def digest(self) -> str:
        """A hash of all settings that matter for the result; names and places of files do not. What the
        files of `know` hold is certified as knowledge."""
        left_out = {"name", "description", "ledger", "know"} | (
            {"table"} if not self.table else set()
        )
        settings = self.model_dump(mode="json", exclude=left_out, context={"digest": True})
        canonical = json.dumps(settings, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()

    def to_yaml(self) -> str:
        """The policy as a file that `load` reads back to the same policy."""
        settings = self.model_dump(mode="json", exclude=set() if self.table else {"table"})
        settings["replace"] = {
            kind: rule.how
            if rule == type(rule)()
            else rule.model_dump(exclude_defaults=True) | {"how": rule.how}
            for kind, rule in self.replace.items()
        }
        return yaml.safe_dump(settings, sort_keys=False, allow_unicode=True, width=100)


def load(source: Policy | Mapping[str, Any] | str | Path = "default") -> Policy:
    """A policy from a profile's name, a path, a dictionary, or a policy.

    >>> load("default").rule("PERSON").how
    'label'
    """
    if isinstance(source, Policy):
        return source
    if isinstance(source, Mapping):
        return _parse(source, lines=None, where="policy")
    if isinstance(source, str) and source in profiles():
        return parse(profile_text(source), where=f"profile {source}")
    path = Path(source)
    if not path.is_file():
        raise PolicyError(
            f"no policy '{source}': neither a file nor a profile ({', '.join(profiles())})"
        )
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyError(
            f"{path}: cannot be read as UTF-8 text ({type(error).__name__})"
        ) from None
    return parse(text, where=str(path), folder=path.parent)


def parse(text: str, *, where: str = "policy", folder: Path | None = None) -> Policy:
    """A policy from YAML; errors name the line."""
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        data = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark is not None else ""
        problem = getattr(error, "problem", None) or "not YAML"
        raise PolicyError(
            f"{where}{line}: {problem}; a policy is a YAML file of settings"
        ) from None
    if not isinstance(data, Mapping):
        raise PolicyError(
            f"{where}: a policy is a YAML file of settings, e.g. `detect:`, `replace:`"
        )
    if original.is_original(data):
        data, root = original.to_policy(data, where), None
    return _parse(data, lines=root, where=where, folder=folder)


def profiles() -> list[str]:
    """The names of the built-in policies."""
    folder = resources.files("sfumato") / "profiles"
    return sorted(
        f.name.removesuffix(".yaml") for f in folder.iterdir() if f.name.endswith(".yaml")
    )


def profile_text(name: str) -> str:
    """A built-in policy as its commented YAML."""
    return (resources.files("sfumato") / "profiles" / f"{name}.yaml").read_text(encoding="utf-8")


def schema() -> dict[str, Any]:
    """The JSON Schema of a policy file, for editors that complete and check YAML."""
    made = Policy.model_json_schema()
    made["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    made["title"] = "Sfumato policy"
    rules = made["properties"]["replace"]["patternProperties"]
    for pattern, rule in rules.items():
        rules[pattern] = {"anyOf": [{"enum": list(METHODS)}, rule]}
    return made


def _parse(
    data: Mapping[str, Any], *, lines: yaml.Node | None, where: str, folder: Path | None = None
) -> Policy:
    try:
        return Policy.model_validate(data, context={"folder": folder or Path()})
    except ValidationError as error:
        ranked = sorted(
            {(e["type"] == "missing", *_problem(dict(e), lines, where)) for e in error.errors()}
        )
        problems = [text for _, _, text in ranked]
        raise PolicyError(problems[0], problems=problems) from None


def _problem(error: dict[str, Any], root: yaml.Node | None, where: str) -> tuple[int, str]:
    """One validation error as (line, message): file, line, setting, what is wrong, the nearest key."""
    place = [part for part in error["loc"] if part not in METHODS or part == error["loc"][-1]]
    line = _line(root, place)
    at = f"{where}:{line}" if line else where
    setting = ".".join(str(part) for part in place)
    if error["type"] == "extra_forbidden":
        known = _known_keys(place[:-1])
        return line, f"{at}: unknown setting '{setting}'{_nearest(str(place[-1]), known)}"
    if error["type"] == "missing":
        return (
            line,
            f"{at}: '{setting}' is missing; `sfumato policy show default` prints one to start from",
        )
    if error["type"] == "union_tag_invalid":
        given = str(error.get("ctx", {}).get("tag", ""))
        return line, f"{at}: {setting}: unknown method '{given}'{_nearest(given, METHODS)}"
    message = error["msg"].removeprefix("Value error, ")
    return line, f"{at}: {setting}: {message[:1].lower()}{message[1:]}"


def _line(node: yaml.Node | None, place: list[Any]) -> int:
    """The line of a setting in the YAML file; of the nearest enclosing one where it has none."""
    if node is None:
        return 0
    line = node.start_mark.line + 1
    for part in place:
        if isinstance(node, yaml.MappingNode):
            found = next(((k, v) for k, v in node.value if str(k.value) == str(part)), None)
            if found is None:
                break
            line, node = found[0].start_mark.line + 1, found[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int):
            if part >= len(node.value):
                break
            node = node.value[part]
            line = node.start_mark.line + 1
    return line


def _known_keys(place: list[Any]) -> list[str]:
    """The keys that are valid at a place."""
    model: type[BaseModel] | None = Policy
    if place and place[0] in ("limits", "know"):
        model = Limits if place[0] == "limits" else Know
    elif place and place[0] in ("detect", "protect"):
        plugin = plugins.find(f"{place[0]}or", str(place[2])) if len(place) > 2 else None
        model = plugin.options if plugin and len(place) == 3 else None
    elif place and place[0] == "table":
        model = ColumnSettings if "columns" in place[1:] else TableSettings
    elif place and place[0] == "replace":
        return sorted({key for model in MODELS for key in model.model_fields})
    return sorted(model.model_fields) if model else []


def _nearest(given: str, known: list[str] | tuple[str, ...]) -> str:
    close = difflib.get_close_matches(given, known, n=1, cutoff=0.5)
    if close:
        return f"; did you mean '{close[0]}'?"
    return f"; valid: {', '.join(known)}" if known else ""
