from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import sfumato
from sfumato import Document, formats, keys
from sfumato.errors import GuaranteeError
from sfumato.keys import Key
from sfumato.release.ledger import Ledger
from sfumato.release.undo import original

TEXT = "Write to ann.lee@example.org or call +44 20 7946 0958 before 12 May 2031."
PAGE = b"<p title='x'>Write to <b>ann.lee@example.org</b> &amp; wait</p>"


def test_a_release_a_text_and_a_file_give_the_original_back(key: Key) -> None:
    with Ledger(key) as ledger:
        release = sfumato.sanitize(TEXT, ledger=ledger)
        assert sfumato.restore(release) == TEXT
        assert sfumato.restore(release, ledger) == TEXT
        assert sfumato.restore(release.text, ledger) == TEXT
        assert sfumato.restore(release.data, ledger) == TEXT.encode()


def test_the_text_of_a_released_page_gives_the_text_of_the_page_back(key: Key) -> None:
    page = formats.parse(PAGE, name="p.html", format=formats.known("html"))
    with Ledger(key) as ledger:
        release = sfumato.sanitize(page, ledger=ledger)
        assert release.data != PAGE
        assert sfumato.restore(release.data, ledger) == PAGE
        assert sfumato.restore(release.data.decode(), ledger) == PAGE.decode()


def test_what_is_not_the_certified_original_is_refused(key: Key) -> None:
    with Ledger(key) as ledger:
        release = sfumato.sanitize(TEXT, ledger=ledger)
        entry = ledger.find_one(release.data)
        assert original(release.data, entry) == TEXT.encode()
        others = tuple(o.replace("ann", "eve") for o in entry.record.originals)
        for wrong in (
            replace(entry, record=replace(entry.record, originals=others)),
            replace(entry, certificate=replace(entry.certificate, input="hmac-sha256:" + 64 * "0")),
            replace(entry, key=keys.new()),
            replace(entry, key=None),
        ):
            with pytest.raises(GuaranteeError, match="not the original that was certified") as no:
                original(release.data, wrong)
            assert no.value.exit_code == 3
        forged = replace(release, record=replace(release.record, originals=others))
        with pytest.raises(GuaranteeError, match="not the original that was certified"):
            sfumato.restore(forged, ledger)
        with pytest.raises(GuaranteeError, match="not the release that was certified"):
            sfumato.restore(replace(release, data=release.data + b"."))


def test_a_release_of_another_key_is_not_restored_by_this_ledger(key: Key) -> None:
    release = sfumato.sanitize(TEXT, key=keys.new())
    with Ledger(key) as ledger, pytest.raises(GuaranteeError, match="not the original"):
        sfumato.restore(release, ledger)


def test_documents_with_equal_releases_are_restored_by_name(key: Key) -> None:
    with Ledger(key) as ledger:
        for who in ("ann", "bob"):
            document = Document(f"Ask {who}@example.org", who)
            text = sfumato.sanitize(document, ledger=ledger).text
        assert sfumato.restore(text, ledger, name="bob") == "Ask bob@example.org"
        assert sfumato.restore(text.encode(), ledger, name="ann") == b"Ask ann@example.org"


def test_a_patch_that_lies_beyond_the_file_is_refused_and_no_crash(
    key: Key, tmp_path: Path
) -> None:
    page = formats.parse(PAGE, name="p.html", format=formats.known("html"))
    with Ledger(key, tmp_path / "l.db") as ledger:
        release = sfumato.sanitize(page, ledger=ledger)
        with pytest.raises(GuaranteeError, match="not the original"):
            original(release.data[:10], ledger.find_one(release.data))


def test_an_object_whose_text_is_not_that_of_its_file_is_not_restored(key: Key) -> None:
    release = sfumato.sanitize("Ask ann@example.org", key=key)
    bare = replace(release.record, edits=(), originals=())
    for forged in (
        replace(release, text="Ask bob", record=bare),
        replace(release, text=release.text + " now"),
    ):
        with pytest.raises(GuaranteeError, match="nothing is restored"):
            sfumato.restore(forged)


def test_an_object_whose_edits_are_not_those_of_its_file_is_not_restored(key: Key) -> None:
    page = formats.parse(b"<p>Write to ann@example.org</p>", name="a.html", format="html")
    with Ledger(key) as ledger:
        release = sfumato.sanitize(page, {"detect": ["patterns"]}, ledger=ledger)
        assert sfumato.restore(release, ledger) == page.text
        forged = replace(release, record=replace(release.record, originals=("bob@example.net",)))
        with pytest.raises(GuaranteeError, match="nothing is restored"):
            sfumato.restore(forged, ledger)
