"""The frame of a self-contained HTML page of numbers, and its parts: tables, bars, tiles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib import resources
from pathlib import Path

from sfumato.files import Target
from sfumato.folders import Identity

_STYLES = ("report.css", "pages.css")
_MARK = "<meta name=generator content=Sfumato>"


def is_page(data: bytes) -> bool:
    """Whether a file is one of these pages, which may be written again."""
    return _MARK.encode() in data[:200]


def page_at(
    path: Path | None, *, force: bool, never: frozenset[Identity] = frozenset()
) -> Target | None:
    """Where a page goes, if it is wanted: it may replace an earlier one."""
    if path is None:
        return None
    return Target.at(path, force=force, is_ours=is_page, what="page", never=never)


def page(title: str, sections: Iterable[str], *, styles: Iterable[str] = _STYLES) -> str:
    """A whole page. It loads nothing from anywhere."""
    folder = resources.files("sfumato") / "report"
    style = "".join((folder / name).read_text(encoding="utf-8") for name in styles)
    made = (
        "<!doctype html><html lang=en><head><meta charset=utf-8>"
        f"{_MARK}"
        "<meta name=viewport content='width=device-width,initial-scale=1'>"
        "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{escape(title)}</title><style>{style}</style></head><body>"
        f"<h1>{escape(title)}</h1>{''.join(sections)}</body></html>\n"
    )
    # Half a character, as JSON may hold one, has no bytes of its own.
    return made.encode("utf-8", "xmlcharrefreplace").decode()


def tiles(numbers: Sequence[tuple[str, str]]) -> str:
    """Large numbers with what they are.

    >>> tiles([("61 %", "information kept")])
    '<div class=tiles><div class=tile><b>61 %</b><span>information kept</span></div></div>'
    """
    inner = "".join(
        f"<div class=tile><b>{escape(number)}</b><span>{escape(said)}</span></div>"
        for number, said in numbers
    )
    return f"<div class=tiles>{inner}</div>"


def table(
    header: Sequence[str], rows: Iterable[Sequence[str]], *, numbers_from: int = 1, chosen: int = -1
) -> str:
    """A table of text cells, the columns from `numbers_from` on set as numbers; row `chosen` stands out."""
    kinds = ["" if n < numbers_from else " class=n" for n in range(len(header))]
    top = "".join(f"<th{k}>{escape(h)}" for k, h in zip(kinds, header, strict=True))
    body = "".join(
        f"<tr{' class=chosen' if n == chosen else ''}>"
        + "".join(f"<td{k}>{escape(cell)}" for k, cell in zip(kinds, row, strict=True))
        for n, row in enumerate(rows)
    )
    return f"<table><tr>{top}{body}</table>"


def stack(parts: Sequence[tuple[str, float]]) -> str:
    """A bar of parts: the class of each and its share of the whole, from 0 to 1.

    >>> stack([("kept", 0.25), ("gone", 0.75)])
    "<div class=stack><i class=kept style='width:25.0%'></i><i class=gone style='width:75.0%'></i></div>"
    """
    inner = "".join(
        f"<i class={name} style='width:{100 * share:.1f}%'></i>" for name, share in parts if share
    )
    return f"<div class=stack>{inner}</div>"
