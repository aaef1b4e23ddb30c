"""Policy: all that a user can set, in one model, one YAML file, one JSON schema."""

from sfumato.know.settings import Know
from sfumato.policy.files import load, parse, profile_text, profiles, schema
from sfumato.policy.methods import (
    METHODS,
    MODELS,
    Bucket,
    Encrypt,
    Generalise,
    Hash,
    Keep,
    Label,
    Mask,
    Pseudonym,
    Reduce,
    Remove,
    Replacement,
    Shift,
    Surrogate,
    Truncate,
)
from sfumato.policy.model import KindName, Limits, Policy
from sfumato.policy.steps import DetectStep, ProtectStep, Step

__all__ = [
    "METHODS",
    "MODELS",
    "Bucket",
    "DetectStep",
    "Encrypt",
    "Generalise",
    "Hash",
    "Keep",
    "KindName",
    "Know",
    "Label",
    "Limits",
    "Mask",
    "Policy",
    "ProtectStep",
    "Pseudonym",
    "Reduce",
    "Remove",
    "Replacement",
    "Shift",
    "Step",
    "Surrogate",
    "Truncate",
    "load",
    "parse",
    "profile_text",
    "profiles",
    "schema",
]
