"""Sfumato inside Presidio: a policy's replacements as an operator of its anonymizer."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from sfumato import keys, plugins
from sfumato.detect.presidio import KINDS
from sfumato.detect.spacy import kind_of
from sfumato.document import Document, Term
from sfumato.errors import MissingExtraError, PolicyError
from sfumato.keys import Key
from sfumato.policy import Policy, load
from sfumato.protect import Run
from sfumato.protect.replace import model as rules
from sfumato.release.ledger import Ledger

try:
    from presidio_anonymizer.operators import Operator, OperatorType
except ImportError:
    raise MissingExtraError("SfumatoOperator", "presidio") from None


class SfumatoOperator(Operator):
    """A policy's replacements as an operator: `OperatorConfig("sfumato", {"policy": "default"})`.

    Parameters: `policy` (a profile, a file, settings or a Policy), `key` (a Key or its hexadecimal form;
    else `SFUMATO_KEY`, else one that lives as long as the process), `kinds` (Presidio's types and the kinds
    they stand for). An operator sees one term, not the document: methods that need the whole document are
    refused.
    """

    def operate(self, text: str, params: dict[str, Any] | None = None) -> str:
        """What the policy's rule makes of a term."""
        if not text:
            return text
        settings, kind = _read(params or {})
        term = Term(0, len(text), kind, 1.0, "presidio")
        edits = _replacer(settings, _key(params or {}))(Document(text), [term], [])
        return edits[0].replacement if edits else text

    def validate(self, params: dict[str, Any] | None = None) -> None:
        """Refuses settings that cannot work on a single term."""
        settings, kind = _read(params or {})
        _key(params or {})
        rule = settings.rule(kind)
        problem = rule.plugin.needs_document(rule.options)
        if problem:
            raise PolicyError(f"replace.{kind}: {problem}; use `sfumato.sanitize` for documents")

    def operator_name(self) -> str:
        return "sfumato"

    def operator_type(self) -> OperatorType:
        return OperatorType.Anonymize


def _read(params: Mapping[str, Any]) -> tuple[Policy, str]:
    kinds = {**KINDS, **params.get("kinds", {})}
    kind = kind_of(str(params.get("entity_type") or "MISC"), kinds)
    return load(params.get("policy", "default")), kind or "MISC"


def _key(params: Mapping[str, Any]) -> Key:
    given = params.get("key")
    if given is None:
        return keys.from_environment() or _PASSING
    if isinstance(given, Key):
        return given
    try:
        return Key(bytes.fromhex(given))
    except (TypeError, ValueError):
        raise PolicyError("the operator's `key` is a Key or its hexadecimal form") from None


_PASSING = keys.new()
_local = threading.local()  # a ledger stays in the thread that opened it


def _replacer(settings: Policy, key: Key) -> plugins.Protector:
    """Replaces by the rules, with one vault for a policy and a key, so that surrogates are consistent."""
    made: dict[tuple[str, str], plugins.Protector] = _local.__dict__.setdefault("made", {})
    place = (settings.digest, key.hex())
    if place not in made:
        made[place] = rules.make(rules.ReplaceOptions(), Run(settings, key, Ledger(key)))
    return made[place]
