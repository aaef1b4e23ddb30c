"""Six sorts of plug-in, each registered by name and version, imported when it is first asked for.

| sort | is | page |
|---|---|---|
| detector | finds terms in a document | `docs/python.md` |
| protector | turns terms into edits; a `Guarantor` promises something | `docs/extend/protectors.md` |
| claim | what a release promises, with the checker that derives it again | `docs/extend/claims.md` |
| format | bytes to a document, and a document with edits back to bytes | `docs/extend/formats.md` |
| method | what stands in the place of a term | `docs/extend/methods.md` |
| taxonomy | what is more general than what | `docs/extend/taxonomies.md` |

A *detector* is made once for a run and called for every document:

    @detector("shouting", options=ShoutingOptions)
    def shouting(options: ShoutingOptions) -> Detector:
        def detect(document: Document) -> Iterable[Term]: ...
        return detect

A *protector* is made from its options and the run (policy, key, vault, reader), receives the document, its
terms and the edits so far, and returns the edits: it may make an earlier one more general, never less.

Other packages add theirs through entry points of the groups `sfumato.detectors`, `sfumato.protectors`,
`sfumato.claims`, `sfumato.formats`, `sfumato.methods` and `sfumato.taxonomies`, whose objects are modules to
import or functions decorated as above.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar, runtime_checkable

from sfumato._version import __version__
from sfumato.document import Claim, Document, Edit, Patch, Term
from sfumato.errors import PolicyError
from sfumato.options import Options as Options

if TYPE_CHECKING:
    from sfumato.know.taxonomy.ladder import Taxonomy
    from sfumato.protect import Run
    from sfumato.protect.replace.method import Method, Overview
    from sfumato.verify import Check, Evidence

Detector = Callable[[Document], Iterable[Term]]
Protector = Callable[[Document, Sequence[Term], Sequence[Edit]], Sequence[Edit]]
Knowledge = Callable[[Any], Mapping[str, str]]  # from options to hashes of data, by name
Checker = Callable[["Claim", "Evidence"], "Check"]
JointChecker = Callable[[Sequence["Evidence"]], "Check"]  # of the views of several readers


@runtime_checkable
class Guarantor(Protocol):
    """A protector whose edits give a guarantee."""

    def __call__(
        self, document: Document, terms: Sequence[Term], edits: Sequence[Edit]
    ) -> Sequence[Edit]: ...

    def claims(self, document: Document, edits: Sequence[Edit]) -> Sequence[Claim]:
        """What is guaranteed of the release that these edits make."""


@runtime_checkable
class Refreshable(Protocol):
    """A protector that keeps what it has read from elsewhere, and can be told to read it again."""

    def refresh(self) -> None: ...


@runtime_checkable
class Withholder(Protocol):
    """A protector that can make the releases of several readers safe together: terms that are `withheld`
    stand in none of them."""

    withheld: frozenset[str]

    def unsafe_together(self, texts: Sequence[str], named: Sequence[str]) -> frozenset[str]:
        """The terms to withhold from all these readers, so that their texts are safe together."""


@dataclass(frozen=True, slots=True)
class Source:
    """What is known of a file beside its bytes: its document's name, where it lies (for errors), the encoding
    that the user says it has (`certain` where the file itself may not say otherwise), and which columns are
    text if it is a table."""

    name: str
    where: str
    encoding: str = "utf-8"
    columns: tuple[str, ...] = ()
    certain: bool = False


class Format(Protocol):
    """A kind of file: reader and writer together, because they are inverse.

    For every file and all edits that fit: what is written, read again, has the text that the edits render;
    without edits the same bytes are written.
    """

    def read(self, data: bytes, source: Source) -> Document:
        """The document in the bytes of a file; what cannot be read with certainty is refused."""

    def fit(self, document: Document, edits: Sequence[Edit]) -> list[Edit]:
        """The edits as they can be written: each within one part of the file."""

    def patches(self, document: Document, edits: Sequence[Edit]) -> Sequence[Patch]:
        """What changes of the file's text (`Document.source`) where these edits are made."""


O = TypeVar("O", bound=Options)  # noqa: E741


def _nothing(_: Options) -> Mapping[str, str]:
    return {}


def _no_claims(_: Options) -> Sequence[str]:
    return ()


def _never(_: Options, __: str) -> bool:
    return False


def _enough(_: Options) -> str:
    return ""


@dataclass(frozen=True, kw_only=True)
class Plugin:
    """A name, and the version that certificates and reports tell."""

    name: str
    version: str = __version__


@dataclass(frozen=True, kw_only=True)
class StepPlugin(Plugin):
    """A step of a policy: a factory and its options. `knowledge` gives, for its options, the hashes of the
    data that its results rest on, by name."""

    make: Callable[..., Any]
    options: type[Options]
    knowledge: Knowledge = _nothing


@dataclass(frozen=True, kw_only=True)
class DetectorPlugin(StepPlugin):
    """`repeatable` detectors find the same terms wherever they stand, so that a release can be searched
    again and must hold none."""

    repeatable: bool = True


@dataclass(frozen=True, kw_only=True)
class ProtectorPlugin(StepPlugin):
    """`claims` names what a release must claim where a policy has this step with these options. `readers`
    is there where the step makes a difference between readers: it refuses those whose rights nobody knows.
    One that works `by_rules` does what the policy's rules for the kinds of terms say, and nothing else."""

    claims: Callable[[Any], Sequence[str]] = _no_claims
    readers: Callable[[Any, Sequence[str]], None] | None = None
    by_rules: bool = False


@dataclass(frozen=True, kw_only=True)
class ClaimPlugin(Plugin):
    """A claim's checker. `knowledge` gives, for a policy, the hashes of the data that the check rests on, by
    name. `together` is there where the claim can be made of several readers who put their views together."""

    check: Checker
    knowledge: Knowledge = _nothing
    together: JointChecker | None = None


@dataclass(frozen=True, kw_only=True)
class FormatPlugin(Plugin):
    """A format, the endings of its files' names and its media types."""

    format: Format
    suffixes: tuple[str, ...] = ()
    media: tuple[str, ...] = ()


Gives = Literal["mark", "code", "word", "coarse", "invented"]
Leaves = Literal["kind", "identity", "value"]


@dataclass(frozen=True, kw_only=True)
class MethodPlugin(StepPlugin):
    """A replacement method, and what others must know of it.

    It `gives` a mark that cannot be taken for a term, a code that stands for it, a more general word, a
    coarser value, or an invented value that looks real; all but marks may be found again as terms. It
    `leaves` to see a term's kind alone, or also which terms are the same, or also something of their value.
    A term `may_stand` that is already as coarse as the options ask for. `needs_document` says why a term
    alone is not enough, if it is not.
    """

    gives: Gives = "mark"
    leaves: Leaves = "value"
    may_stand: Callable[[Any, str], bool] = _never
    needs_document: Callable[[Any], str] = _enough


@dataclass(frozen=True, kw_only=True)
class TaxonomyPlugin(Plugin):
    """What is more general than what. `open` gives it, made once for a process; `knowledge` gives, for the
    taxonomy, the hashes of what it is made from, by name."""

    open: Callable[[], Taxonomy]
    knowledge: Knowledge


P = TypeVar("P", bound=Plugin)


class Registry(Generic[P]):
    """The plug-ins of one sort. Built-in ones are imported when they are asked for by name, those of other
    packages when a name is asked for that is not built in."""

    def __init__(self, sort: str, built_in: Mapping[str, str]) -> None:
        self.sort = sort
        self._modules = built_in
        self._known: dict[str, P] = {}
        self._faults: list[str] | None = None  # of others' plug-ins, once they are loaded

    def add(self, plugin: P) -> None:
        """Register one; a later one of the same name takes its place."""
        self._known[plugin.name] = plugin

    def remove(self, name: str) -> None:
        """Forget one that was registered by hand."""
        del self._known[name]

    def is_built_in(self, name: str) -> bool:
        """Whether the name is one of ours."""
        return name in self._modules

    def find(self, name: str) -> P | None:
        """The plug-in of that name, if there is one."""
        if name not in self._known and name in self._modules:
            importlib.import_module(self._modules[name])
        if name not in self._known:
            self.load_others(name)
        return self._known.get(name)

    def get(self, name: str) -> P:
        """The plug-in of a name that is known to exist."""
        plugin = self.find(name)
        assert plugin is not None, name
        return plugin

    def names(self) -> list[str]:
        """All names there are."""
        self.load_others()
        return sorted({*self._modules, *self._known})

    def modules(self) -> set[str]:
        """The modules that have registered plug-ins so far."""
        parts = ("make", "check", "open", "format")
        made = (getattr(p, part, None) for p in self._known.values() for part in parts)
        return {part.__module__ for part in made if part is not None}

    def load_others(self, wanted: str = "") -> None:
        """Load what other packages bring. Who does not find here what is `wanted` is told, each time, of one
        that cannot be loaded: what it stands for must not be taken for something else."""
        if self._faults is None:
            plural, faults = f"{self.sort}s".replace("ys", "ies"), []
            for point in entry_points(group=f"sfumato.{plural}"):
                try:
                    point.load()
                except Exception as error:  # of others, whatever it is
                    said = f"{point.name} = {point.value} ({type(error).__name__}: {error})"
                    faults.append(f"the {self.sort} plug-in {said} cannot be loaded")
            self._faults = faults
        if self._faults and wanted not in self._known:
            raise PolicyError(f"{'; '.join(self._faults)}; repair or uninstall its package")


DETECTORS = Registry[DetectorPlugin](
    "detector",
    {
        "patterns": "sfumato.detect.patterns",
        "lists": "sfumato.detect.lists",
        "personal": "sfumato.detect.personal",
        "gazetteers": "sfumato.detect.gazetteers",
        "information": "sfumato.detect.information",
        "spacy": "sfumato.detect.spacy",
        "presidio": "sfumato.detect.presidio",
    },
)
PROTECTORS = Registry[ProtectorPlugin](
    "protector",
    {
        "replace": "sfumato.protect.replace.model",
        "plausibility": "sfumato.protect.plausibility.model",
        "ksafety": "sfumato.protect.ksafety.model",
        "disclosure": "sfumato.protect.disclosure.model",
    },
)
CLAIMS = Registry[ClaimPlugin](
    "claim",
    {
        "unchanged outside edits": "sfumato.verify.edits",
        "originals gone": "sfumato.verify.edits",
        "every finding treated": "sfumato.verify.kinds",
        "no age follows from dates": "sfumato.verify.ages",
        "no known term left": "sfumato.verify.kinds",
        "t-plausible": "sfumato.verify.plausibility",
        "K-safe": "sfumato.verify.ksafety",
        "no term discloses": "sfumato.verify.disclosure",
        "k-anonymous": "sfumato.verify.tables.claims",
        "diverse": "sfumato.verify.tables.claims",
        "sensitive terms not told": "sfumato.verify.tables.claims",
        "hidden terms gone": "sfumato.verify.tables.claims",
        "direct identifiers gone": "sfumato.verify.tables.claims",
        "rows as in the input": "sfumato.verify.tables.claims",
        "documents of k users": "sfumato.verify.logs",
        "only whole rows left out": "sfumato.verify.logs",
        "users not named": "sfumato.verify.logs",
    },
)
FORMATS = Registry[FormatPlugin](
    "format",
    {
        "text": "sfumato.formats.text",
        "markdown": "sfumato.formats.markdown",
        "html": "sfumato.formats.html",
        "json": "sfumato.formats.json",
        "jsonl": "sfumato.formats.json",
        "mail": "sfumato.formats.mail",
        "calendar": "sfumato.formats.calendar",
        "csv": "sfumato.formats.delimited",
        "tsv": "sfumato.formats.delimited",
        "parquet": "sfumato.formats.stored",
        "excel": "sfumato.formats.stored",
        "table/csv": "sfumato.formats.cells",
        "table/jsonl": "sfumato.formats.cells",
        "table/parquet": "sfumato.formats.cells",
        "table/excel": "sfumato.formats.cells",
    },
)
METHODS = Registry[MethodPlugin](
    "method",
    {
        "label": "sfumato.protect.replace.label",
        "remove": "sfumato.protect.replace.label",
        "keep": "sfumato.protect.replace.label",
        "mask": "sfumato.protect.replace.covers",
        "truncate": "sfumato.protect.replace.covers",
        "bucket": "sfumato.protect.replace.bucket",
        "reduce": "sfumato.protect.replace.reduce",
        "shift": "sfumato.protect.replace.shift",
        "pseudonym": "sfumato.protect.replace.pseudonym",
        "surrogate": "sfumato.protect.replace.surrogate",
        "hash": "sfumato.protect.replace.sealed",
        "encrypt": "sfumato.protect.replace.sealed",
        "generalise": "sfumato.protect.replace.generalise",
        "peoples": "sfumato.protect.replace.states",
        "states": "sfumato.protect.replace.states",
    },
)
TAXONOMIES = Registry[TaxonomyPlugin](
    "taxonomy",
    {
        "calendar": "sfumato.know.taxonomy.calendar",
        "ranges": "sfumato.know.taxonomy.ranges",
        "wordnet": "sfumato.know.taxonomy.wordnet",
        "places": "sfumato.know.taxonomy.places",
        "named": "sfumato.know.taxonomy.named",
        "phenotypes": "sfumato.know.taxonomy.medical",
        "diseases": "sfumato.know.taxonomy.medical",
        "diagnoses": "sfumato.know.taxonomy.medical",
    },
)

M = TypeVar("M")


def _adding(registry: Registry[P], plugin: Callable[[M], P]) -> Callable[[M], M]:
    """A decorator that registers what it decorates, as the plug-in that is made of it."""

    def add(made: M) -> M:
        registry.add(plugin(made))
        return made

    return add


def detector(
    name: str, *, options: type[O], repeatable: bool = True, knowledge: Knowledge = _nothing
) -> Callable[[Callable[[O], Detector]], Callable[[O], Detector]]:
    """Register a detector's factory under `name`."""
    return _adding(
        DETECTORS,
        lambda make: DetectorPlugin(
            name=name, make=make, options=options, repeatable=repeatable, knowledge=knowledge
        ),
    )


def protector(
    name: str,
    *,
    options: type[O],
    knowledge: Knowledge = _nothing,
    claims: Callable[[Any], Sequence[str]] = _no_claims,
    readers: Callable[[Any, Sequence[str]], None] | None = None,
    by_rules: bool = False,
) -> Callable[[Callable[[O, Run], Protector]], Callable[[O, Run], Protector]]:
    """Register a protector's factory under `name`."""
    return _adding(
        PROTECTORS,
        lambda make: ProtectorPlugin(
            name=name,
            make=make,
            options=options,
            knowledge=knowledge,
            claims=claims,
            readers=readers,
            by_rules=by_rules,
        ),
    )


def claim(
    name: str,
    *,
    knowledge: Knowledge = _nothing,
    together: JointChecker | None = None,
) -> Callable[[Checker], Checker]:
    """Register the checker of the claim `name`. Those of our own claims stay: others rely on them."""

    def plugin(check: Checker) -> ClaimPlugin:
        if CLAIMS.is_built_in(name) and not check.__module__.startswith("sfumato.verify."):
            raise PolicyError(
                f"the claim '{name}' is one of Sfumato's own; give yours another name"
            )
        return ClaimPlugin(name=name, check=check, knowledge=knowledge, together=together)

    return _adding(CLAIMS, plugin)


F = TypeVar("F", bound=type)


def format(
    name: str, *, suffixes: Sequence[str] = (), media: Sequence[str] = ()
) -> Callable[[F], F]:
    """Register a class of formats under `name`; it is made once, without arguments."""

    def plugin(made: F) -> FormatPlugin:
        return FormatPlugin(name=name, format=made(), suffixes=tuple(suffixes), media=tuple(media))

    return _adding(FORMATS, plugin)


def method(
    name: str,
    *,
    options: type[O],
    knowledge: Knowledge = _nothing,
    gives: Gives = "mark",
    leaves: Leaves = "value",
    may_stand: Callable[[O, str], bool] = _never,
    needs_document: Callable[[O], str] = _enough,
) -> Callable[[Callable[[O, Overview], Method]], Callable[[O, Overview], Method]]:
    """Register a replacement method's factory under `name`."""
    return _adding(
        METHODS,
        lambda make: MethodPlugin(
            name=name,
            make=make,
            options=options,
            knowledge=knowledge,
            gives=gives,
            leaves=leaves,
            may_stand=may_stand,
            needs_document=needs_document,
        ),
    )


X = TypeVar("X", bound="Taxonomy")


def taxonomy(name: str, *, knowledge: Knowledge) -> Callable[[Callable[[], X]], Callable[[], X]]:
    """Register what makes the taxonomy `name`; it is called once for a process."""

    def keep(make: Callable[[], X]) -> Callable[[], X]:
        once = cache(make)
        TAXONOMIES.add(TaxonomyPlugin(name=name, open=once, knowledge=knowledge))
        return once

    return keep
