"""Where releases were written, and whether a file in hand is the one that an entry of the ledger is about.

Documents that differ only in what was hidden have the same release, and whoever writes to the ledger without
its key can put a copy from before back, which lacks some. So an entry is bound to a file by its place, or by
a genuine certificate beside the file while nothing stands at that place any more; what neither tells, the
user must.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import Path, PurePath

from sfumato.errors import GuaranteeError, LedgerError, SfumatoError, UnknownReleaseError
from sfumato.files import real, spelt, unspelt
from sfumato.formats import file_bytes
from sfumato.release import certificate
from sfumato.release.entries import Entry

_UNFINISHED = "a run that writes it was not finished: run it again"


def place_of(path: Path) -> str:
    """Where a file is, without links on the way, which may lead elsewhere later."""
    return spelt(real(path.parent) / path.name)


def name_of(path: Path) -> str:
    """The same with the links that a user names, but for those before `..`, which is not where they are."""
    parts = path.absolute().parts
    after = max((at for at, part in enumerate(parts, 1) if part == ".."), default=0)
    return spelt(os.path.normpath(real(Path(*parts[:after])).joinpath(*parts[after:])))


def without(entry: Entry, place: str) -> Entry:
    """An entry whose release has lost a place to that of another input."""
    left = tuple(target for target in entry.targets if target != place)
    return replace(entry, targets=left, earlier=tuple(dict.fromkeys((*entry.earlier, place))))


def is_at(release: Path, entry: Entry) -> bool:
    """Whether a release was written to this place: by its own name, or by that of links that were used then
    and lead there still."""
    name = name_of(release)
    linked = name in entry.links and place_of(release) in entry.targets
    return linked or name in map(os.path.normpath, entry.targets)


def was_at(release: Path, entry: Entry) -> bool:
    """Whether a release was written to this place, and that of another input came later."""
    return place_of(release) in entry.earlier


def standing(entry: Entry) -> list[str]:
    """Of the places of a release, those where something stands, or that cannot be looked at."""
    return [place for place in entry.targets if _stands(place)]


def _stands(place: str) -> bool:
    try:
        os.lstat(unspelt(place))
    except (OSError, ValueError) as error:  # or a name that this system's encoding has not
        return not isinstance(error, FileNotFoundError | NotADirectoryError)
    return True


def _better_places(release: Path, entry: Entry) -> list[str]:
    """Where a release that moved together with its folders may stand, more likely than here."""
    folders = Path(name_of(release)).parents
    return [
        str(other)
        for place in written(entry)
        for many in range(_common(release, place) + 1, len(place.parts) + 1)
        for other in (folder.joinpath(*place.parts[-many:]) for folder in folders)
        if _stands(str(other))
    ]


def refuse_elsewhere(
    release: Path, data: bytes, entry: Entry, *, name: str | None, genuine: bool
) -> None:
    """Refuse a release that was written to another place: whoever puts an earlier ledger back must not
    make another's document the answer. With a `genuine` certificate it may have moved, under its name; else
    the document's `name` must be given, and say more than the place does."""
    if is_at(release, entry):
        return
    there = standing(entry) or _better_places(release, entry)
    about = f"the ledger has this release as that of '{entry.record.name}'"
    if was_at(release, entry):
        raise LedgerError(
            f"{about}, but the same release of another document was written to its place after it; if "
            f"{release} is the earlier one, move it elsewhere, with its certificate"
        )
    if name is None and genuine and not there and _keeps_its_name(release, entry):
        return
    same = [place for place in there if _holds(place, data)]
    told = entry.record.name
    telling = any(_ends(Path(place), told) for place in same) and not _ends(release, told)
    if same and (name is None or not telling):
        more = f", or, if {release} is a copy of it, say so with --name" if telling else ""
        raise LedgerError(f"{about}, which stands at {same[-1]}; give that file instead{more}")
    if name is None:
        place = ("no place that it knows", *entry.targets)[-1]
        raise LedgerError(
            f"{about}, written to {place}; if {release} is that one, say so with --name"
        )


def _keeps_its_name(release: Path, entry: Entry) -> bool:
    """Whether a release that moved is called what it was: within a folder, with its path there."""
    name = PurePath(entry.record.name)
    return any(
        _common(release, place) >= (len(name.parts) if place.match(str(name)) else 1)
        for place in written(entry)
    )


def _ends(path: Path, name: str) -> bool:
    return _common(path, PurePath(name)) == len(PurePath(name).parts)


def moved(release: Path, entry: Entry) -> str:
    """What to tell whoever asks about a release that is not where it was written; nothing where it is."""
    places = (*entry.earlier, *entry.targets)
    if is_at(release, entry) or not places:
        return ""
    return f"{release}: is taken for '{entry.record.name}', written to {places[-1]}"


def _holds(place: str, data: bytes) -> bool:
    try:
        return file_bytes(Path(unspelt(place)), len(data)) == data
    except (SfumatoError, ValueError):
        return True


def one_of(
    found: Sequence[Entry],
    name: str | None,
    input_hash: str | None,
    policy: str | None,
    place: Path | None,
) -> Entry:
    """Of the entries of a release the one that is meant, by what is known of it."""
    if not found:
        raise UnknownReleaseError(
            "this release is not in the ledger; was it changed, or made elsewhere?"
        )
    if name is not None:
        found = [e for e in found if e.record.name == name]
        if not found:
            raise LedgerError(f"the ledger has this release, but of no document named '{name}'")
    if input_hash is not None:
        found = [e for e in found if e.certificate.input == input_hash]
        if not found:
            raise GuaranteeError(
                "the certificate is that of another document; put the right one beside the release, or "
                "take it away"
            )
    if policy is not None:
        found = [e for e in found if e.certificate.policy == policy] or found
    names = sorted({e.record.name for e in found})
    if place is not None and (len(names) == 1 or len({e.certificate.input for e in found}) == 1):
        found = [e for e in found if is_at(place, e)] or found
    if len({e.certificate.input for e in found}) > 1:
        how = (
            "say which with --name"
            if len(names) > 1
            else _UNFINISHED
            if place is not None and is_at(place, found[0])
            else "put it where it was written, with its certificate beside it"
        )
        raise LedgerError(f"several documents have this release ({_few(names)}); {how}")
    return found[0]


# Of the ledger: hashes of release, name, input and policy, and what is sealed.
Row = Sequence[bytes]


def of_one(
    found: Sequence[tuple[Row, Entry]],
    name: str,
    release: Path | None,
    tag: Callable[[bytes], bytes],
) -> list[Row]:
    """Those rows of one name that are about one document: one input, or several that were released to one
    place, one after the other. `release` is a file of it, by which it is told from others; `tag` gives the
    ledger's hash of one."""
    chosen = found if release is None else _released_as(found, name, release, tag)
    shared = set[str].intersection(*({*e.targets, *e.earlier} for _, e in found))
    if release is None and len({row[2] for row, _ in found}) > 1 and not shared:
        where = _few(sorted({place for _, entry in found for place in entry.targets}))
        raise LedgerError(
            f"several documents are named '{name}', released to {where or 'no place'}; say which with "
            "--release and the file of its release"
        )
    wanted = {row[2] for row, _ in chosen}
    return [row for row, _ in found if row[2] in wanted]


def _released_as(
    found: Sequence[tuple[Row, Entry]], name: str, release: Path, tag: Callable[[bytes], bytes]
) -> Sequence[tuple[Row, Entry]]:
    """What was written to the place of a release; of one that was moved, the only one with these bytes."""
    here = [each for each in found if is_at(release, each[1]) or was_at(release, each[1])]
    same = tag(file_bytes(release)) if not here and release.is_file() else None
    chosen = here or [each for each in found if each[0][0] == same]
    if not chosen:
        raise LedgerError(f"no document named '{name}' has a release at {release}")
    made = certificate.read(release.with_name(release.name + certificate.SUFFIX))
    if made is not None and made.input not in {entry.certificate.input for _, entry in chosen}:
        raise LedgerError(
            f"{release}: the certificate beside it is of no document named '{name}' that the ledger has "
            "from there; put the right one beside it, or take it away"
        )
    there = {place for _, entry in chosen for place in standing(entry)}
    if not here and (there or len({row[2] for row, _ in chosen}) > 1):
        places = sorted({str(place) for _, entry in chosen for place in written(entry)})
        raise LedgerError(
            f"{release}: documents named '{name}' have the same release, written to {_few(places)}; put "
            "it there, or give that file"
        )
    return chosen


def refuse_another(
    release: Path,
    found: Entry,
    alike: Sequence[Entry],
    name: str | None,
    laid: Path,
    *,
    genuine: bool,
    told: bool,
) -> None:
    """Refuse what the certificate `laid` beside a release says where others have the same: it may be that of
    another. What the ledger has at this place decides, else the user: by a document's `name`, or a
    certificate that was `told`."""
    here = {e.certificate.input for e in alike if is_at(release, e)}
    alike = [e for e in alike if name is None or e.record.name == name]
    if len({e.certificate.input for e in alike}) == 1:
        return
    if genuine and (here == {found.certificate.input} if len(here) == 1 else told):
        return
    names = sorted({e.record.name for e in alike})
    places = sorted({str(p) for e in alike for p in written(e)})
    which = "take the certificate away and say which with --name" if len(names) > 1 else ""
    which = which or "say which certificate is its own with --certificate"
    do = _UNFINISHED if len(here) > 1 else f"put it where it was written ({_few(places)})"
    raise LedgerError(
        f"several documents have this release ({_few(names)}), and {laid} may be that of another; {do}, or "
        f"{which}"
    )


def _few(names: Sequence[str]) -> str:
    """
    >>> _few(["a", "b"]), _few([str(n) for n in range(400)])
    ('a, b', '0, 1, 2 and 397 more')
    """
    more = f" and {len(names) - 3:,} more" if len(names) > 4 else ""
    return ", ".join(names[: 3 if more else 4]) + more


def written(entry: Entry) -> list[PurePath]:
    """Where a release was ever written; by the document's name, if nobody knows."""
    ever = (*entry.earlier, *entry.targets) or (entry.record.name,)
    return [PurePath(place) for place in ever]


def _common(release: Path, place: PurePath) -> int:
    here = Path(name_of(release)).parts
    pairs = zip(reversed(here), reversed(place.parts), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
