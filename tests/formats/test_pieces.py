"""Several texts as one document."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sfumato.document import Edit, render
from sfumato.formats.pieces import Pieces

texts = st.lists(
    st.tuples(st.text("ab ", max_size=6), st.sampled_from(["", "\n", "\n\n"])), max_size=6
)


@given(texts, st.data())
def test_the_parts_together_say_what_the_release_says(
    parts: list[tuple[str, str]], data: st.DataObject
) -> None:
    pieces = Pieces(parts)
    document = pieces.document("page")
    cuts = data.draw(st.sets(st.integers(0, len(document.text)), max_size=6).map(sorted))
    spans = list(zip(cuts[::2], cuts[1::2], strict=False))
    edits = [Edit(a, b, "TERM", "X", "why") for a, b in spans]
    released = pieces.released(edits)
    assert len(released) == len(pieces)
    said = "".join(released).replace("\n", "")
    whole = render(document, edits).replace("\n", "")
    # An edit of nothing but the space between texts has no text to stand in.
    between = [e for e in edits if not document.text[e.start : e.end].strip("\n")]
    assert len(said) == len(whole) - len(between)
    if not between:
        assert said == whole
    if not edits:
        assert released == [text for text, _ in parts]


def test_a_replacement_stands_once_where_its_edit_begins() -> None:
    pieces = Pieces([("weight", "\n"), ("", "\n"), ("loss", "")])
    assert pieces.released([Edit(2, 12, "TERM", "[…]", "why")]) == ["we[…]", "", ""]
