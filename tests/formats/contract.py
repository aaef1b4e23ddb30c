"""What every format keeps to, for any file and any edits."""

from __future__ import annotations

import base64
import html
import json
import quopri
from collections.abc import Iterator
from urllib.parse import quote

from hypothesis import reject
from hypothesis import strategies as st

from sfumato import formats
from sfumato.document import Document, Edit, render, restored
from sfumato.errors import InputError
from sfumato.formats.text import as_drawn
from sfumato.plugins import FORMATS

REPLACEMENTS = ("", "[X]", "<b>&", '"', "%41+", "x\ny", "é…", "</script>", "-- >", ",;\t", "=?q?=")


def edits_of(document: Document, data: st.DataObject) -> list[Edit]:
    """Some edits of a document, wherever they fall."""
    most = len(document.text)
    cuts = data.draw(st.sets(st.integers(0, most), max_size=8).map(sorted))
    spans = list(zip(cuts[::2], cuts[1::2], strict=False))
    return [Edit(a, b, "TERM", data.draw(st.sampled_from(REPLACEMENTS)), "why") for a, b in spans]


def keeps_to_the_contract(raw: bytes, document: Document, edits: list[Edit]) -> bytes:
    """No edit, the same bytes, but for what no reader sees, which is taken out, and for letters and calendars
    that programs read differently, which are written anew; what is written reads as rendered, and holds
    nothing unseen; it can be undone. Returns what is written."""
    try:
        fitted = formats.fit(document, edits)
    except InputError as error:
        if "two keys of an object differ only in what no reader sees" not in str(error):
            raise
        reject()
    untouched = formats.write(document, [])
    layout = getattr(FORMATS.get(document.origin.format).format, "layout", None)
    if untouched != raw and (document.unseen or not layout or not layout(document).unseen):
        assert document.unseen or document.origin.format in ("mail", "calendar")
        assert document.unseen or formats.shown_otherwise(document)
        anew = formats.write(document, formats.fit(document, []))
        assert formats.write(formats.read_again(anew, document), []) == anew
    assert formats.fit(document, fitted) == fitted
    written = formats.write(document, fitted)
    rendered = render(document, fitted)
    if not as_drawn(
        Document(rendered)
    ).drawn:  # half a line end that an edit leaves is refused later
        again = formats.read_again(written, document)
        assert again.text == rendered
        assert not again.unseen
    assert restored(written, formats.record(document, fitted)) == raw
    return written


def guises(secret: str) -> Iterator[bytes]:
    """A text in all the forms in which a file may hold it."""
    plain = secret.encode()
    yield plain
    yield "".join(f"&#{ord(c)};" for c in secret).encode()
    yield html.escape(secret).encode()
    yield quote(secret).encode()
    yield "".join(f"%{b:02X}" for b in plain).encode()
    yield json.dumps(secret).strip('"').encode()
    yield "".join(f"\\u{ord(c):04x}" for c in secret).encode()
    yield quopri.encodestring(plain)
    for shift in range(3):  # base64 of a longer text holds it in one of three shifts
        coded = base64.b64encode(b"\0" * shift + plain)
        yield coded[4 if shift else 0 : -4]
