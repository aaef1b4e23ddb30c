"""A detector that does not come back, for the tests of the processes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from sfumato.document import Document, Term
from sfumato.plugins import Options, detector

SLEEP = "sleep for ever"


class SleepingOptions(Options):
    """None."""


@detector("sleeping", options=SleepingOptions)
def sleeping(options: SleepingOptions) -> Callable[[Document], Iterable[Term]]:
    def detect(document: Document) -> Iterable[Term]:
        while SLEEP in document.text:
            time.sleep(1)
        return ()

    return detect
