"""SPI and its relatives: claims from their definitions, and numbers from plain ways to compute them."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sfumato import measure
from sfumato.errors import InputError
from sfumato.measure import (
    SpiStream,
    impressions,
    jsd_score,
    kld_score,
    pel_score,
    spi_report,
    spi_score,
    wjsd_score,
    wkld_score,
)
from sfumato.measure import divergences as by_blocks

Log = list[tuple[str, str]]

USERS = ["ann", "bob", "cem"]
DOCUMENTS = [
    "flu",
    "Flu",
    "hiv test",
    "HIV-Test",
    "hiv",
    "a flu a flu",
    "?!",
    "rash on leg",
    "rash",
]
LOGS = st.lists(st.tuples(st.sampled_from(USERS), st.sampled_from(DOCUMENTS)), max_size=25)
MODES = st.sampled_from(["exact", "words", "normal_form"])
SIGMAS = st.dictionaries(st.sampled_from(DOCUMENTS), st.floats(0, 1))


@st.composite
def before_and_after(draw: st.DrawFn) -> tuple[Log, Log]:
    before = draw(LOGS.filter(bool))
    known = {user for user, _ in before}
    return before, [row for row in draw(LOGS) if row[0] in known]


def shares(log: Log, user: str) -> dict[str, float]:
    counts = Counter(d for u, d in log if u == user)
    return {d: n / counts.total() for d, n in counts.items()}


def plain_spi(before: Log, after: Log, sigma: dict[str, float]) -> float:
    """The definition, written down as it is."""
    values = []
    for user in {u for u, _ in before}:
        x, y = shares(before, user), shares(after, user)
        weight = {d: 1 - sigma.get(d, 0.0) for d in x | y}
        if not y:
            values.append(sum(weight[d] * p for d, p in x.items()))
            continue
        m = {d: (x.get(d, 0) + y.get(d, 0)) / 2 for d in x | y}
        values.append(
            sum(weight[d] * p * math.log2(p / m[d]) for d, p in x.items()) / 2
            + sum(weight[d] * q * math.log2(q / m[d]) for d, q in y.items()) / 2
        )
    return sum(values) / len(values)


@given(before_and_after(), SIGMAS)
def test_spi_is_its_definition(logs: tuple[Log, Log], sigma: dict[str, float]) -> None:
    found = spi_score(*logs, sensitivity=sigma)
    assert found == pytest.approx(plain_spi(*logs, sigma), abs=1e-12)
    assert wjsd_score(*logs, sensitivity=sigma) == found


@given(before_and_after(), SIGMAS, MODES)
def test_0_spi_jsd_1_in_every_mode(
    logs: tuple[Log, Log], sigma: dict[str, float], match: str
) -> None:
    spi = spi_score(*logs, sensitivity=sigma, match=match)
    jsd = jsd_score(*logs, match=match)
    assert 0 <= spi <= jsd <= 1


@given(LOGS.filter(bool), SIGMAS, MODES)
def test_an_unchanged_log_scores_0(log: Log, sigma: dict[str, float], match: str) -> None:
    assert spi_score(log, log[::-1], sensitivity=sigma, match=match) == 0
    assert kld_score(log, log, match=match) == 0
    assert wkld_score(log, log, sensitivity=sigma, match=match) == 0


@given(before_and_after(), MODES)
def test_without_sensitive_documents_spi_is_jsd(logs: tuple[Log, Log], match: str) -> None:
    assert spi_score(*logs, match=match) == jsd_score(*logs, match=match)
    assert spi_score(*logs, sensitivity=lambda _: 1.0, match=match) == 0


@given(before_and_after(), MODES)
def test_jsd_is_symmetric_where_both_have_documents(logs: tuple[Log, Log], match: str) -> None:
    before, after = logs
    both = {u for u, _ in before} & {u for u, _ in after}
    before, after = ([row for row in log if row[0] in both] for log in logs)
    if before:
        there, back = jsd_score(before, after, match=match), jsd_score(after, before, match=match)
        assert there == pytest.approx(back, abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=1, max_size=12))
def test_divergences_are_scipys(counts: list[tuple[int, int]]) -> None:
    distance = pytest.importorskip("scipy.spatial.distance")
    entropy = pytest.importorskip("scipy.stats").entropy
    x = [n for n, _ in counts]
    if not sum(x):
        return
    y = [n for _, n in counts]
    before = [("u", f"d{d}") for d, n in enumerate(x) for _ in range(n)]
    after = [("u", f"d{d}") for d, n in enumerate(y) for _ in range(n)]
    jsd = distance.jensenshannon(x, y, base=2) ** 2
    assert jsd_score(before, after) == pytest.approx(jsd, abs=1e-9)
    assert kld_score(before, after) == pytest.approx(entropy(x, y, base=2), abs=1e-9)


def test_blocks_do_not_change_the_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    before = [(int(u), int(d)) for u, d in rng.integers((40, 9), size=(900, 2))]
    after = [row for row in before if row[1] % 3 and row[0] % 7]
    whole = spi_report(before, after, sensitivity={1: 0.5})
    monkeypatch.setattr(by_blocks, "BLOCK", 17)
    parts = spi_report(before, after, sensitivity={1: 0.5})
    assert np.array_equal(whole.user_spi, parts.user_spi)
    assert np.array_equal(whole.user_jsd, parts.user_jsd)


def test_weighted_kld_takes_the_weights_of_the_original() -> None:
    before, after = [("u", "a"), ("u", "b")], [("u", "a"), ("u", "b"), ("u", "b"), ("u", "b")]
    expected = 0.5 * 0.5 * math.log2(0.5 / 0.25) + 0.5 * math.log2(0.5 / 0.75)
    found = wkld_score(before, after, sensitivity={"a": 0.5})
    assert found == pytest.approx(expected)
    assert found < 0  # weights take away the floor that KLD has


def test_kld_is_infinite_where_a_document_is_gone_unless_it_weighs_nothing() -> None:
    before, after = [("u", "a"), ("u", "b")], [("u", "a")]
    assert kld_score(before, after) == math.inf
    assert wkld_score(before, after, sensitivity={"b": 0.5}) == math.inf
    assert wkld_score(before, after, sensitivity={"b": 1.0}) == pytest.approx(-0.5)


def test_a_user_of_whom_nothing_is_left_counts_with_all_weights() -> None:
    before = [("ann", "flu"), ("ann", "hiv"), ("bob", "flu")]
    for gone in ([("bob", "flu")], [("bob", "flu"), ("ann", None), ("ann", " ")]):
        report = spi_report(before, gone, sensitivity={"hiv": 0.8})
        assert report.users_gone == 1
        assert report.user_gone.tolist() == [True, False]
        assert report.of("ann") == pytest.approx({"spi": 0.6, "jsd": 1.0, "pel": 0.0})
        assert report.spi == pytest.approx(0.3)
        assert any("1 of 2 users" in note for note in report.notes())


def test_an_empty_release_is_said_in_words() -> None:
    report = spi_report([("ann", "flu")], [])
    assert (report.jsd, report.spi, report.impressions) == (1.0, 1.0, 0.0)
    assert "the release is empty" in report.notes()[0]


def test_generalised_documents_are_gone_as_documents_and_related_as_words() -> None:
    before = [("ann", "lung cancer stage two"), ("ann", "weather")]
    after = [("ann", "cancer"), ("ann", "weather")]
    exact, words = jsd_score(before, after), jsd_score(before, after, match="words")
    assert exact == 0.5
    assert 0 < words < exact


def test_spelling_does_not_count_by_normal_form() -> None:
    before, after = [("ann", "Weight-Loss  pills")], [("ann", "weight loss pills")]
    assert jsd_score(before, after) == 1
    assert jsd_score(before, after, match="normal_form") == 0


def test_sigma_of_a_word_is_the_mean_over_distinct_original_documents_that_hold_it() -> None:
    # "flu" stands in two documents, one of them twice in the log and with the word twice: (0.8 + 0.2) / 2.
    before = [("ann", "flu flu"), ("bob", "flu flu"), ("cem", "flu")]
    report = spi_report(before, [], sensitivity={"flu flu": 0.8, "flu": 0.2}, match="words")
    assert report.user_spi.tolist() == pytest.approx([0.5, 0.5, 0.5])


def test_sigma_of_a_new_word_is_that_of_the_released_documents() -> None:
    before, after = [("ann", "flu")], [("ann", "illness")]
    sigma = {"flu": 1.0, "illness": 0.4}
    assert spi_score(before, after, sensitivity=sigma, match="words") == pytest.approx(0.5 * 0.6)


def test_documents_without_words_are_words_themselves() -> None:
    assert jsd_score([("ann", "?!")], [("ann", "?!")], match="words") == 0
    assert jsd_score([("ann", "?!")], [("ann", "...")], match="words") == 1


def test_documents_without_a_sensitivity_get_the_one_for_missing_ones() -> None:
    before: Log = [("ann", "flu"), ("ann", "rash")]
    assert spi_score(before, [], sensitivity={"flu": 1.0}) == 0.5
    assert spi_score(before, [], sensitivity={"flu": 1.0}, missing=1.0) == 0
    report = spi_report(before, [], sensitivity={"flu": 1.0})
    assert report.unnamed == 1
    assert any("no sensitivity" in note for note in report.notes())


@pytest.mark.parametrize("sigma", [{"flu": 1.5}, {"flu": math.nan}, {"flu": -0.1}])
def test_a_sensitivity_that_is_no_probability_is_refused(sigma: dict[str, float]) -> None:
    with pytest.raises(InputError, match="from 0 to 1"):
        spi_score([("ann", "flu")], [], sensitivity=sigma)


# PEL


def plain_pel(pairs: list[tuple[str, str | None]]) -> float:
    n = len(pairs)
    joint, x, y = Counter(pairs), Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    entropy = -sum(c / n * math.log2(c / n) for c in x.values())
    mutual = sum(c / n * math.log2(c * n / (x[a] * y[b])) for (a, b), c in joint.items())
    return 100 * mutual / entropy


PARTNERS = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from(["a", "b", "x", None])), min_size=2
).filter(lambda rows: len({a for a, _ in rows}) > 1)


@given(PARTNERS, PARTNERS)
def test_pel_is_its_definition(
    ann: list[tuple[str, str | None]], bob: list[tuple[str, str | None]]
) -> None:
    rows = [("ann", *pair) for pair in ann] + [("bob", *pair) for pair in bob]
    found = pel_score([(u, x) for u, x, _ in rows], [(u, y) for u, _, y in rows])
    assert found == pytest.approx((plain_pel(ann) + plain_pel(bob)) / 2, abs=1e-9)
    assert 0 <= found <= 100


@given(LOGS.filter(bool), st.data())
def test_pel_of_a_subset_needs_no_rows_for_what_is_gone(log: Log, data: st.DataObject) -> None:
    kept = data.draw(st.lists(st.booleans(), min_size=len(log), max_size=len(log)))
    subset = [row for row, keep in zip(log, kept, strict=True) if keep]
    assume([u for u, _ in subset[::-1]] != [u for u, _ in log])  # such tables pair up row by row
    # The first copies of a document are those that stay.
    left = Counter(subset)
    aligned: list[tuple[str, str | None]] = []
    for user, document in log:
        aligned.append((user, document if left[user, document] > 0 else None))
        left[user, document] -= 1
    expected = pel_score(log, aligned)
    assert pel_score(log, subset[::-1]) == pytest.approx(expected, abs=1e-9)


def test_pel_of_an_unchanged_log_is_100_and_of_nothing_0() -> None:
    log = [("ann", "flu"), ("ann", "rash"), ("bob", "flu")]
    assert pel_score(log, log) == 100
    assert pel_score(log, []) == 0


def test_pel_refuses_what_does_not_pair_up() -> None:
    log = [("ann", "flu"), ("ann", "rash")]
    for release in ([("ann", "illness")], [("ann", "flu"), ("ann", "flu"), ("ann", "flu")]):
        with pytest.raises(InputError, match="do not pair up"):
            pel_score(log, release)
    report = spi_report(log, [("ann", "illness")])
    assert report.pel is None
    assert any("PEL was not measured" in note for note in report.notes())
    with pytest.raises(InputError, match="whole documents"):
        pel_score(log, log, match="words")
    assert any("words are matched" in n for n in spi_report(log, log, match="words").notes())


def test_impressions_are_the_share_that_is_left() -> None:
    assert impressions([("a", "x")] * 4, [("a", "x"), ("a", None)]) == 25


def test_a_report_is_numbers_without_users_or_documents() -> None:
    report = spi_report([("ann", "flu"), ("bob", "rash")], [("ann", "flu")])
    assert report.as_dict() == {
        "spi": 0.5,
        "jsd": 0.5,
        "pel": 50.0,
        "impressions": 50.0,
        "documents": 2,
        "documents_released": 1,
        "users": 2,
        "users_gone": 1,
        "unnamed": 0,
        "match": "exact",
    }
    assert "ann" not in repr(report)
    with pytest.raises(InputError, match="no such user"):
        report.of("zoe")


# Streaming


ARRIVALS = st.lists(
    st.tuples(
        st.sampled_from(USERS),
        st.sampled_from(DOCUMENTS),
        st.one_of(st.none(), st.sampled_from(DOCUMENTS)),
    ),
    min_size=1,
    max_size=20,
)


@given(ARRIVALS, SIGMAS, MODES)
def test_a_stream_has_the_numbers_of_the_batch_at_every_step(
    arrivals: list[tuple[str, str, str | None]], sigma: dict[str, float], match: str
) -> None:
    stream = SpiStream(sensitivity=sigma, match=match)
    before: Log = []
    after: list[tuple[str, str | None]] = []
    for user, original, released in arrivals:
        before.append((user, original))
        after.append((user, released))
        index = stream.add(user, original, released)
        report = spi_report(before, after, sensitivity=sigma, match=match)
        assert stream.score == pytest.approx(report.spi, abs=1e-9)
        assert index == pytest.approx(report.of(user)["spi"], abs=1e-9)
    for known in stream.users:
        assert stream.index(known) == pytest.approx(report.of(known)["spi"], abs=1e-9)


@given(ARRIVALS, SIGMAS, MODES, st.floats(0, 1))
def test_the_gate_never_lets_through_what_leaves_a_user_below_it(
    arrivals: list[tuple[str, str, str | None]], sigma: dict[str, float], match: str, gate: float
) -> None:
    stream = SpiStream(sensitivity=sigma, match=match, gate=gate)
    before: Log = []
    after: Log = []
    for user, original, candidate in arrivals:
        was_open = stream.is_open(user)
        released = stream.offer(user, original, candidate)
        before.append((user, original))
        if released is not None:
            assert was_open
            assert released == candidate
            assert stream.index(user) >= gate
            after.append((user, released))
        expected = spi_score(before, after, sensitivity=sigma, match=match)
        assert stream.score == pytest.approx(expected, abs=1e-9)


def test_a_gate_of_0_lets_everything_through() -> None:
    stream = SpiStream()
    assert [stream.offer("ann", d) for d in ("flu", "flu", "rash")] == ["flu", "flu", "rash"]
    assert stream.score == 0


def test_a_stream_says_what_is_wrong() -> None:
    stream = SpiStream()
    with pytest.raises(InputError, match="no document has arrived"):
        _ = stream.score
    with pytest.raises(InputError, match="of this user"):
        stream.index("ann")
    with pytest.raises(InputError, match="one of them is empty"):
        stream.add("ann", "  ")
    with pytest.raises(InputError, match="from 0 to 1"):
        SpiStream(gate=2)


def test_the_package_exports_what_it_names() -> None:
    assert all(callable(getattr(measure, name)) for name in measure.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = measure.nothing  # type: ignore[attr-defined]
