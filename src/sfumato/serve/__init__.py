"""Sanitising text on its way to somebody."""

from __future__ import annotations

from sfumato.serve.middleware import SanitizeResponses

__all__ = ["SanitizeResponses"]
