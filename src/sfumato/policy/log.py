"""The settings of a policy for document logs."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sfumato.plugins import Options


class LogSettings(Options):
    """A document log has a user and a document in every row; a document is released only if so many users
    have it. Other columns are never released: times, places and clicks tell who somebody is."""

    k: int = Field(ge=1, description="Release a document only if at least so many users have it.")
    user: str = Field("user", description="The column with the user.")
    document: str = Field("document", description="The column with the document.")
    match: Literal["exact", "normal_form"] = Field(
        "exact",
        description="When two documents are the same: as they are written (`exact`), or but for case, "
        "spaces and dashes (`normal_form`); all are then released in the spelling of most users.",
    )
    users: Literal["pseudonym", "keep"] = Field(
        "pseudonym",
        description="What users become: pseudonyms that only the key can tell, or what they are.",
    )
