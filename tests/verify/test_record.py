from __future__ import annotations

from sfumato.document import Edit, Origin, Record
from sfumato.verify.record import original_text


def test_a_record_that_contradicts_itself_fits_nothing() -> None:
    edits = (Edit(4, 6, "A", "x", ""), Edit(0, 2, "A", "y", ""))
    assert original_text("abcdefgh", Record("x", Origin(), edits, ("ab", "cd"))) is None
