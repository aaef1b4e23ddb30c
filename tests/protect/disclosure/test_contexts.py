from __future__ import annotations

from sfumato.protect.disclosure.contexts import Occurring, contexts
from sfumato.protect.disclosure.problem import Context

TEXT = "Ann saw Dr. Lee. Bob left.\n\nCid and Ann came."


def mentions(text: str, words: list[str]) -> list[Occurring]:
    found = []
    for thing, word in enumerate(words):
        at = text.find(word)
        while at >= 0:
            found.append(Occurring(thing, at, at + len(word)))
            at = text.find(word, at + 1)
    return found


def together(
    unit: str, width: int = 2, hidden: tuple[int, ...] = (0,)
) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    made = contexts(TEXT, mentions(TEXT, ["Ann", "Lee", "Bob", "Cid"]), hidden, unit, width)  # type: ignore[arg-type]
    return [(c.targets, c.members) for c in made]


def test_a_document_is_one_context() -> None:
    assert together("document") == [((0,), (0, 1, 2, 3))]


def test_sentences_part_the_text() -> None:
    assert together("sentence") == [((0,), (0, 1)), ((0,), (0, 3))]


def test_paragraphs_part_the_text() -> None:
    assert together("paragraph") == [((0,), (0, 1, 2)), ((0,), (0, 3))]


def test_a_window_reaches_some_words_to_either_side_of_the_hidden_term_alone() -> None:
    assert together("window", 3) == [((0,), (0, 1)), ((0,), (0, 3))]
    assert together("window", 1) == [((0,), (0,))]
    assert together("window", 3, (0, 3))[1:] == [((3,), (0, 1, 2, 3)), ((0,), (0, 3))]


def test_contexts_without_anything_hidden_are_left_out() -> None:
    assert together("sentence", hidden=(2,)) == [((2,), (2,))]
    assert together("document", hidden=()) == []


def test_a_mention_over_an_edge_stands_in_both_parts() -> None:
    text = "Ann. Bob. Cid."
    made = contexts(
        text, [Occurring(0, 0, 8), Occurring(1, 10, 13), Occurring(2, 5, 8)], [2], "sentence"
    )
    assert made == [Context((2,), (0, 2))]
