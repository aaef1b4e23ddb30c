"""The configuration files of rx-anon (Singhofer, 2021), read unchanged.

Kinds of terms get our names. A spaCy pipeline that a file names is used where it is installed; where
it is not, Sfumato's own detectors take its place, and `notes` says so. Faults of the original are not
taken over: custom terms may be of several words, and a bias counts once. Custom patterns run on RE2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sfumato.english.wordlists import lists
from sfumato.errors import PolicyError
from sfumato.kinds import KINDS as ALL
from sfumato.know.settings import is_path, package_folder
from sfumato.policy import yaml_text

_SIGNS = r"\^$[]{}()?*+"  # of a regular expression
SECTIONS = frozenset({"parameters", "nlp", "attributes", "entities"})
MODEL = "en_core_web_trf"
K = 10

KINDS = lists("policy/rx_anon")
_ROLES = {
    "direct_identifier": "direct",
    "quasi_identifier": "quasi",
    "sensitive_attribute": "sensitive",
    "insensitive_attribute": "insensitive",
    "text": "text",
}
_TYPES = {"nominal": "nominal", "ordinal": "nominal", "numerical": "number", "date": "date"}
_KNOWN = {
    "parameters": {"k", "strategy", "relational_weight"},
    "nlp": {"model", "cache"},
    "entities": {"native", "custom"},
    "attribute": {
        *("type", "anonymization_type", "entities", "bias", "format", "recoding_strategy"),
        "hierarchy",
    },
}


def is_original(data: Any) -> bool:
    """Whether settings are in the original's form."""
    return isinstance(data, Mapping) and "attributes" in data and set(data) <= SECTIONS


def to_policy(data: Mapping[str, Any], where: str = "policy") -> dict[str, Any]:
    """The same settings in our words."""
    for section in ("parameters", "nlp", "entities"):
        _require_known(data.get(section) or {}, _KNOWN[section], section, where)
    parameters = data.get("parameters") or {}
    entities = data.get("entities") or {}
    native = [str(name) for name in entities.get("native") or ()]
    custom = {_kind(str(name)): given for name, given in (entities.get("custom") or {}).items()}
    kinds = dict.fromkeys(kind for name in native for kind in _native(name, where))
    return {
        "name": "rx-anon",
        "detect": _detectors(data, native, custom),
        "table": {
            "k": parameters.get("k", K),
            "strategy": parameters.get("strategy", "gdf"),
            "relational_weight": parameters.get("relational_weight", 0.5),
            "columns": {
                str(name): _column(str(name), settings or {}, custom, where)
                for name, settings in (data["attributes"] or {}).items()
            },
            "others": "insensitive",
            "kinds": [*kinds, *(name for name in custom if name not in kinds)],
            "generalise": False,
            "empty": "drop",
            "clean": ["html", "control", "spaces"],
        },
    }


def notes(data: Mapping[str, Any]) -> list[str]:
    """What a user should know about how such a file was read."""
    said = []
    model = _model(data)
    entities = data.get("entities") or {}
    if entities.get("native"):
        if _installed(model):
            said.append(f"Terms are found by the spaCy pipeline {model}, and by patterns.")
        else:
            said.append(
                f"The spaCy pipeline {model} is not installed; Sfumato's own detectors take its place."
            )
    if (data.get("nlp") or {}).get("cache"):
        said.append(
            "nlp.cache is not used: findings are kept in your cache folder, without any text."
        )
    return said


def notes_on(path: Path) -> list[str]:
    """The notes on a policy file; none where it is in our own form."""
    try:
        _, data = yaml_text.read(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError, PolicyError):
        return []
    return notes(data) if is_original(data) else []


def _model(data: Mapping[str, Any]) -> str:
    return str((data.get("nlp") or {}).get("model") or MODEL)


def _installed(model: str) -> bool:
    if find_spec("spacy") is None:
        return False
    return is_path(model) or package_folder(model) is not None


def _detectors(data: Mapping[str, Any], native: list[str], custom: Mapping[str, Any]) -> list[Any]:
    steps: list[Any] = []
    terms = [{"kind": kind, "terms": t} for kind, given in custom.items() if (t := _terms(given))]
    patterns = [
        {"name": kind, "kind": kind, "pattern": p, "score": 1.0}
        for kind, given in custom.items()
        if (p := _pattern(given))
    ]
    own = {"patterns": {"custom": patterns} if native else {"custom": patterns, "skip": [*ALL]}}
    if native:
        model = _model(data)
        labels = {"LAW": "MISC", "ORDINAL": "QUANTITY"}
        spacy = {"spacy": {"model": model, "kinds": labels}}
        first = own if patterns else "patterns"
        steps = [first, spacy if _installed(model) else "personal"]
        if {"GPE", "LOC", "FAC"} & set(native) and not _installed(model):
            steps.append("gazetteers")
    elif patterns:
        steps.append(own)
    if terms:
        steps.append({"lists": {"hide": terms}})
    return steps


def _column(
    name: str, settings: Mapping[str, Any], custom: Mapping[str, Any], where: str
) -> dict[str, Any]:
    place = f"attributes.{name}"
    _require_known(settings, _KNOWN["attribute"], place, where)
    given = str(settings.get("anonymization_type", "insensitive_attribute"))
    if given not in _ROLES:
        raise PolicyError(
            f"{where}: {place}: unknown anonymization_type '{given}'; valid: {', '.join(_ROLES)}"
        )
    made: dict[str, Any] = {"role": _ROLES[given]}
    if made["role"] not in ("quasi", "sensitive"):
        return made
    type_ = str(settings.get("type", "nominal"))
    if type_ not in _TYPES:
        raise PolicyError(f"{where}: {place}: unknown type '{type_}'; valid: {', '.join(_TYPES)}")
    made["type"] = _TYPES[type_]
    if settings.get("format"):
        made["format"] = settings["format"]
    if made["role"] == "sensitive":
        return made
    made["bias"] = settings.get("bias", 0)
    named = [str(e) for e in settings.get("entities") or ()]
    kinds = [k for e in named for k in _kinds_of(e, custom, where)]
    made["kinds"] = list(dict.fromkeys(kinds))
    how = settings.get("recoding_strategy")
    if how == "string_reduction":
        made["type"] = "string"
    elif how == "hierarchy":
        if not settings.get("hierarchy"):
            raise PolicyError(f"{where}: {place}: recoding_strategy hierarchy needs a `hierarchy`")
        made["hierarchy"] = settings["hierarchy"]
    elif how is not None:
        raise PolicyError(
            f"{where}: {place}: unknown recoding_strategy '{how}'; valid: hierarchy, string_reduction"
        )
    return made


def _kinds_of(name: str, custom: Mapping[str, Any], where: str) -> tuple[str, ...]:
    """A custom list may have the name of a native entity, and then adds to it."""
    own = _kind(name)
    if own in custom:
        return (own, *KINDS.get(name, ()))
    return _native(name, where)


def _native(name: str, where: str) -> tuple[str, ...]:
    if name not in KINDS:
        raise PolicyError(
            f"{where}: entities: unknown entity '{name}'; list its terms under entities.custom, or use "
            f"{', '.join(KINDS)}"
        )
    return KINDS[name]


def _kind(name: str) -> str:
    made = re.sub(r"[^A-Z0-9]+", "_", name.upper()).strip("_")
    return made if made[:1].isalpha() else f"CUSTOM_{made}"


def _terms(value: Any) -> list[str]:
    """The words of a list, or of a pattern that is a choice of words (or can be read as one: `Dr. Lee`)."""
    terms = value.split("|") if isinstance(value, str) else value or ()
    found = [t for t in (str(term).strip() for term in terms) if t and t != "..."]
    return [] if isinstance(value, str) and set(value) & set(_SIGNS) else found


def _pattern(value: Any) -> str:
    """The regular expression, where it is more than a choice of words; dots alone stand for more of them."""
    if not isinstance(value, str) or not set(value.replace("...", "")) & {*_SIGNS, "."}:
        return ""
    return "|".join(part for part in value.split("|") if part.strip() != "...")


def _require_known(given: Any, known: set[str], place: str, where: str) -> None:
    if not isinstance(given, Mapping):
        raise PolicyError(f"{where}: {place}: should be settings by name")
    wrong = [str(key) for key in given if key not in known]
    if wrong:
        raise PolicyError(
            f"{where}: unknown setting '{place}.{wrong[0]}'; valid: {', '.join(sorted(known))}"
        )
