"""The plain replacements: what stands in a term's place, by methods registered one by one."""

from sfumato.protect.replace.method import Method, Overview, Replacement, Unfit

__all__ = ["Method", "Overview", "Replacement", "Unfit"]
