"""Which encodings are read, and where pages name theirs."""

from __future__ import annotations

import codecs
import encodings as library
import pkgutil
import time

import pytest

from sfumato.errors import InputError
from sfumato.formats import encodings, parse
from sfumato.formats.encodings import LABELS, codec, page_encoding, python_name, web_codec

HIDDEN = b"".join(b"\x81" + bytes([letter]) for letter in b"Holloway")  # one sign each in Shift_JIS


def test_ascii_means_itself_in_every_encoding_that_is_read() -> None:
    plain = {chr(a) + chr(b) for a in range(128) for b in range(128)}
    for name in {
        *map(python_name, LABELS),
        *(m.name for m in pkgutil.iter_modules(library.__path__)),
    }:
        known = python_name(name or "")
        if known is not None and not known.startswith(("utf-16", "utf-32")):
            assert all(pair.encode(known).decode(known) == pair for pair in plain), known
            assert all(pair.encode().decode(known) == pair for pair in plain), known


def test_an_encoding_that_joins_ascii_to_other_signs_has_a_name_that_programs_know() -> None:
    for module in pkgutil.iter_modules(library.__path__):
        known = codec(module.name)
        if known is None or known.startswith(("utf-16", "utf-32")) or module.name in LABELS:
            continue
        for lead in range(128, 256):
            for letter in b"09AZaz":
                try:
                    said = bytes([lead, letter]).decode(known)
                except UnicodeDecodeError:
                    continue
                assert said.endswith(chr(letter)), module.name


def test_every_name_of_the_standard_has_a_codec() -> None:
    for label, known in LABELS.items():
        assert codecs.lookup(known)
        assert web_codec(label.upper(), page=True) == known
    assert len(LABELS) == 217  # 228, without those that are not read


@pytest.mark.parametrize("name", ["cp037", "cp500", "cp1140", "ebcdic-cp-us", "hz", "iso-2022-kr"])
@pytest.mark.parametrize("name_of", [python_name, codec, lambda n: web_codec(n, page=False)])
def test_encodings_in_which_ascii_is_something_else_are_none(name: str, name_of: object) -> None:
    assert callable(name_of)
    assert name_of(name) is None


def test_what_needs_a_mark_is_read_with_one_alone() -> None:
    for name in ("utf-16", "utf-32", "utf-16le"):
        assert encodings.decoded(b"Margaret", name) is None
    assert encodings.decoded("Ann".encode("utf-16"), "utf-16") == "Ann"
    assert encodings.decoded(b"\xff\xfeA\0", "utf-16be") is None


@pytest.mark.parametrize(
    "meta",
    [
        b"<meta charset=windows-1252>",
        b"<META CHARSET = 'Windows-1252'>",
        b'<meta/charset="windows-1252"/>',
        b"<meta name=x charset=windows-1252 charset=gbk>",
        b'<meta charset="windows-1252" http-equiv=content-type content="charset=gbk">',
        b'<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">',
        b"<meta content='text/html;charset = \"windows-1252\"' http-equiv=content-type>",
        b"<!-- <meta charset=gbk> --><meta charset=windows-1252>",
        b"<!doctype html><html lang=en><title>x</title><?x <meta?><meta charset=latin1>",
        b'<?xml version="1.0" encoding="windows-1252"?><html>',
        b"<meta charset=windows-1252><p><meta charset=latin1>",
    ],
)
def test_a_page_names_its_encoding_as_browsers_find_it(meta: bytes) -> None:
    assert page_encoding(meta, "page") == "cp1252"


@pytest.mark.parametrize(
    "none",
    [
        b"<p>",
        b'<meta name="d" content="text/html; charset=gbk">',
        b"<meta data-charset=gbk>",
        b'<meta http-equiv=refresh content="0;url=x?charset=gbk">',
        b"<metacharset=gbk>",
        b"<!-- <meta charset=gbk> -->",
        b"<meta charset=gbk",
        b"<meta title='><meta charset=gbk>",
        b"<p>" + b"x" * 1024 + b"<meta charset=gbk>",
        b"<div title='<meta charset=gbk>'>",
        b"</x <meta charset=gbk>>",
    ],
)
def test_what_only_looks_like_it_names_none(none: bytes) -> None:
    assert page_encoding(none, "page") is None


@pytest.mark.parametrize(
    "page",
    [
        b"<meta charset=shift_jis><meta charset=windows-1252>",
        b"<title><meta charset=shift_jis></title><meta charset=windows-1252>",
        b"<meta charset=shift_jis><meta charset=windows&#45;1252>",
        b"<meta charset=shift_jis><meta http-equiv=content&#x2d;type content=';charset=latin1'>",
        b"<!--><meta charset=shift_jis>--><meta charset=windows-1252>",
        b"<!-- --!><meta charset=windows-1252> --><meta charset=shift_jis>",
        b"<script><!--</script><meta charset=windows-1252>--><meta charset=shift_jis>",
        b"<meta charset=shift_jis><meta x='" + b"x" * 9000 + b"' charset=windows-1252>",
        b"<meta charset=shift_jis>" + b"<meta name=x>" * 2000 + b"<meta charset=windows-1252>",
        b'<?xml encoding="windows-1252"?><meta charset=cp037>',
        b"<meta charset=shift_jis>\xef<div title='<meta charset=windows-1252>'>",
    ],
)
def test_a_page_that_may_name_two_encodings_is_refused(page: bytes) -> None:
    with pytest.raises(InputError, match=r"^page: .*encoding"):
        parse(page + b"<p>Dear " + HIDDEN, name="page", format="html")


@pytest.mark.parametrize(
    "name", ["cp037", "hz", "hz-gb-2312", "utf-7", "iso-2022-jp", "replacement", "latin-1", "''"]
)
def test_a_page_whose_encoding_browsers_do_not_know_is_refused(name: str) -> None:
    with pytest.raises(InputError, match=r"^page: .*unknown encoding.*UTF-8"):
        parse(f"<meta charset={name}><p>Ann".encode(), name="page", format="html")


def test_the_words_of_a_page_are_not_told_for_the_name_of_its_encoding() -> None:
    with pytest.raises(InputError) as caught:
        parse(b"<meta charset='Margaret Holloway'>", name="page", format="html")
    assert "Holloway" not in str(caught.value)


def test_utf_8_is_read_whatever_else_may_be_named() -> None:
    page = "<meta charset=utf-8><title>Zoë</title><meta charset=gbk>".encode()
    assert page_encoding(page, "page") == "utf-8"
    assert page_encoding(b"<meta charset=utf-16>", "page") == "utf-8"
    assert "Zoë" in parse(page, name="page", format="html").text


@pytest.mark.parametrize(
    "page",
    [b"<meta a=", b"<meta a", b"<meta '", b'<meta a="', b"<!--<meta ", b"<!--", b"<a ", b"<"],
)
def test_the_name_of_an_encoding_is_found_in_linear_time(page: bytes) -> None:
    begun = time.process_time()
    page_encoding(page * (1_000_000 // len(page)), "page")
    assert time.process_time() - begun < 5
