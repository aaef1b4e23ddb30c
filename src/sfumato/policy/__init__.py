"""Policy: all that a user can set, in one model, one YAML file, one JSON schema."""

from sfumato.know.settings import Know
from sfumato.policy.files import load, parse, profile_text, profiles, schema
from sfumato.policy.model import KindName, Limits, Policy
from sfumato.policy.rules import Keep, Label, Rule
from sfumato.policy.steps import DetectStep, NamedPlugin, ProtectStep

__all__ = [
    "DetectStep",
    "Keep",
    "KindName",
    "Know",
    "Label",
    "Limits",
    "NamedPlugin",
    "Policy",
    "ProtectStep",
    "Rule",
    "load",
    "parse",
    "profile_text",
    "profiles",
    "schema",
]
