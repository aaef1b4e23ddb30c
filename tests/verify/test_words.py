"""Terms are found as whole words, however they are spaced, and however long they are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sfumato.english.folding import GAP, plain_letters
from sfumato.verify import words
from sfumato.verify.words import Words
from tests.attacks.test_time import steps

SOME = st.lists(st.sampled_from(["an", "na", "a", "anna", "-", "     ", ", "]), max_size=12)


def stands(terms: set[str], text: str) -> bool:
    """By definition: words with gaps of at most so many characters, put together."""
    tokens = plain_letters(text).split(" ")
    for first in range(len(tokens)):
        made, gap = tokens[first], 0
        for token in tokens[first + 1 :]:
            if made in terms and made:
                return True
            gap = 0 if token else gap + 1
            if gap >= GAP or not made:
                break
            made += token
        if made in terms and made:
            return True
    return False


@given(st.sets(SOME.map(lambda p: plain_letters("".join(p)).replace(" ", "")), max_size=3), SOME)
def test_a_term_is_found_where_words_put_together_say_it(terms: set[str], said: list[str]) -> None:
    terms.discard("")
    text = " ".join(said)
    long, words._LONG = words._LONG, 3  # what is compared by hashes, too
    try:
        assert Words(terms).stand_in(text) == stands(terms, text)
    finally:
        words._LONG = long


def test_a_name_of_thousands_of_equal_words_is_looked_for_once() -> None:
    def work(many: int) -> int:
        found = Words({"ana" * many})
        return steps(lambda: found.stand_in("ana " * (many - 1) + "x" + "ana " * many), "words.py")

    assert work(1_000) <= 3 * work(500)
