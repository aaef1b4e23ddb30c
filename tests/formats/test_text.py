from __future__ import annotations

import codecs
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.document import Edit, restored
from sfumato.errors import EncodingError, InputError
from sfumato.formats import parse, read, record, write


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_text_comes_back_byte_for_byte(text: str) -> None:
    data = text.encode()
    document = parse(data, name="x")
    assert document.file == text
    assert document.unseen <= (document.text != text)
    written = write(document, [])
    assert written == document.text.encode()
    assert restored(written, record(document, [])) == data


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (b"\xef\xbb\xbfwith a mark\r\n", "utf-8"),
        (b"\xef\xbb\xbfwith a mark", "utf-8-sig"),
        ("mark\r\n".encode("utf-16"), "utf-16"),
        (b"\xfe\xff" + "big".encode("utf-16-be"), "utf-16"),
        (codecs.BOM_UTF32_LE + "none".encode("utf-32-le"), "utf-32"),
        ("caf\xe9\r".encode("latin-1"), "latin-1"),
        ("“quoted”".encode("cp1252"), "cp1252"),
    ],
)
def test_marks_and_line_ends_stay(data: bytes, encoding: str) -> None:
    document = parse(data, name="x", encoding=encoding)
    assert write(document, []) == data


def test_the_bad_byte_is_named() -> None:
    with pytest.raises(
        EncodingError, match=r"byte 3 \(0xe9\) is not utf-8; .*--encoding cp1252"
    ) as caught:
        parse(b"caf\xe9", name="x")
    assert caught.value.offset == 3


def test_binary_files_and_unknown_encodings_are_refused() -> None:
    with pytest.raises(InputError, match="binary file \\(a zero byte at 2\\)"):
        parse(b"ab\0cd", name="x")
    with pytest.raises(InputError, match="unknown encoding 'klingon'"):
        parse(b"x", name="x", encoding="klingon")
    for refused in ("utf-7", "cp037", "iso2022_jp", "hz", "punycode", "rot13", "utf=8"):
        with pytest.raises(InputError, match=f"unknown encoding '{refused}'"):
            parse(b"+AGE-", name="x", encoding=refused)
    with pytest.raises(EncodingError, match="byte for byte"):
        parse(b"\x87\x90", name="x", encoding="cp932")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_what_has_no_mark_is_not_read_as_utf_16(encoding: str) -> None:
    # Every other program would show these words.
    for data in (b"Margaret Holloway..", b"Margaret Holloway.", "Ann".encode("utf-16-le")):
        with pytest.raises(InputError, match="has no byte-order mark"):
            parse(data, name="x", encoding=encoding)


def test_a_mark_goes_before_what_is_said() -> None:
    marked = parse(b"\xef\xbb\xbfcaf\xc3\xa9", name="x", encoding="gbk")
    assert marked.origin.encoding == "utf-8"
    assert "café" in marked.text
    for said in ("latin-1", "gbk"):
        with pytest.raises(InputError, match="has the byte-order mark of utf-16, so it is not"):
            parse("ＡＢ".encode("utf-16"), name="x", encoding=said)


def test_a_file_over_the_limit_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "big.txt"
    path.write_bytes(b"x" * 101)
    with pytest.raises(InputError, match="101 bytes is more than the limit of 100"):
        read(path, name="big", limit=100)


def test_formats_to_come_and_missing_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.docx").write_bytes(b"PK")
    with pytest.raises(InputError, match=r"\.docx files are not supported yet"):
        read(tmp_path / "a.docx", name="a")
    with pytest.raises(InputError, match="No such file"):
        read(tmp_path / "none.txt", name="none")
    with pytest.raises(InputError, match="not a file"):
        read(tmp_path, name="folder")


def test_a_replacement_that_the_encoding_lacks_is_refused() -> None:
    document = parse(b"x", name="a.txt", encoding="latin-1")
    with pytest.raises(InputError, match=r"a\.txt: a replacement cannot be written in iso8859-1"):
        write(document, [Edit(0, 1, "MISC", "→", "")])
