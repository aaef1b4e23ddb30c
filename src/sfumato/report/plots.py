"""Risk against utility as a picture: drawn by hand for a page, by matplotlib for a file."""

from __future__ import annotations

import io
import math
import sys
from collections.abc import Iterator, Sequence
from contextlib import chdir, contextmanager, nullcontext
from html import escape
from typing import Any

from sfumato.errors import InputError, needed
from sfumato.measure.frontier import Frontier

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 20, 52
CLOSE = 0.025  # of the width and height: points so close share a label


def frontier_svg(frontier: Frontier) -> str:
    """The points of a sweep as an SVG element for a page; those that no other one beats are joined."""
    points = [(n, p) for n, p in enumerate(frontier.points) if not p.refused]
    if not points:
        return ""
    xs = _Scale([p.risk for _, p in points], LEFT, WIDTH - RIGHT)
    ys = _Scale([p.utility for _, p in points], HEIGHT - BOTTOM, TOP)
    place = {n: (xs.at(p.risk), ys.at(p.utility)) for n, p in points}
    drawn = [
        f"<line class=grid x1={x:.1f} x2={x:.1f} y1={TOP} y2={HEIGHT - BOTTOM} />"
        f"<text x={x:.1f} y={HEIGHT - BOTTOM + 18} text-anchor=middle>{tick:g}</text>"
        for tick, x in xs.ticks
    ]
    drawn += [
        f"<line class=grid x1={LEFT} x2={WIDTH - RIGHT} y1={y:.1f} y2={y:.1f} />"
        f"<text x={LEFT - 8} y={y + 4:.1f} text-anchor=end>{tick:g}</text>"
        for tick, y in ys.ticks
    ]
    best, knee = frontier.best, frontier.knee
    joined = " ".join(f"{place[n][0]:.1f},{place[n][1]:.1f}" for n in best)
    drawn.append(f"<polyline class=line points='{joined}' />")
    for n, (x, y) in place.items():
        said = escape(frontier.points[n].label)
        style = "dot" if n in best else "'dot off'"
        drawn.append(
            f"<circle class={style} cx={x:.1f} cy={y:.1f} r=5><title>{said}</title></circle>"
        )
        if n == knee:
            drawn.append(f"<circle class=knee cx={x:.1f} cy={y:.1f} r=10 />")
    for n, label in _labels(frontier):
        x, y = place[n]
        # Beside the rising line, not on it.
        dx, dy, anchor = (-12, -9, "end") if x > WIDTH * 0.6 else (12, 17, "start")
        at = f"x={x + dx:.1f} y={y + dy:.1f} text-anchor={anchor}"
        drawn.append(f"<text {at}>{escape(label)}</text>")
    middle = (LEFT + WIDTH - RIGHT) / 2
    drawn += [
        f"<text x={middle} y={HEIGHT - 10} text-anchor=middle>risk: {escape(frontier.risk)}</text>",
        f"<text x={-(TOP + HEIGHT - BOTTOM) / 2} y=16 text-anchor=middle transform='rotate(-90)'>"
        f"{escape(frontier.utility)}</text>",
    ]
    inner = "".join(drawn)
    return (
        f"<svg viewBox='0 0 {WIDTH} {HEIGHT}' width={WIDTH} height={HEIGHT} role=img>{inner}</svg>"
    )


def _labels(frontier: Frontier) -> list[tuple[int, str]]:
    """A point and what is written beside it: its number in the table, from 1, with those of the points that
    lie on it. The recommended one is written out."""
    shown = [n for n, p in enumerate(frontier.points) if not p.refused]
    wide, high = (
        max(values) - min(values) or 1.0
        for values in zip(
            *((frontier.points[n].risk, frontier.points[n].utility) for n in shown), strict=True
        )
    )
    groups: list[list[int]] = []
    for n in shown:
        point = frontier.points[n]
        for group in groups:
            first = frontier.points[group[0]]
            near = abs(first.risk - point.risk) / wide < CLOSE
            if near and abs(first.utility - point.utility) / high < CLOSE:
                group.append(n)
                break
        else:
            groups.append([n])
    labels = []
    for group in groups:
        said = ", ".join(str(n + 1) for n in group)
        if frontier.knee in group:
            said += f": {frontier.points[frontier.knee].label}"
        labels.append((group[0], said))
    return labels


class _Scale:
    """Numbers to places on an axis, with round ticks."""

    def __init__(self, values: Sequence[float], start: float, end: float) -> None:
        low, high = min(values), max(values)
        room = (high - low) * 0.08 or max(abs(high) * 0.1, 0.01)
        self._low, self._high, self._start, self._end = low - room, high + room, start, end
        step = _round_step((self._high - self._low) / 4)
        first = math.ceil(self._low / step)
        last = math.floor(self._high / step)
        self.ticks = [(round(n * step, 10), self.at(n * step)) for n in range(first, last + 1)]

    def at(self, value: float) -> float:
        share = (value - self._low) / (self._high - self._low)
        return self._start + share * (self._end - self._start)


def _round_step(most: float) -> float:
    """1, 2 or 5 times a power of ten, at most so large.

    >>> [_round_step(x) for x in (0.03, 0.7, 13)]
    [0.02, 0.5, 10.0]
    """
    power = 10.0 ** math.floor(math.log10(most))
    return max(m * power for m in (1, 2, 5) if m * power <= most)


@contextmanager
def drawing() -> Iterator[Any]:
    """matplotlib as its makers set it: not as a file `matplotlibrc` of the working folder does, which it
    would read when it is imported."""
    with nullcontext() if "matplotlib" in sys.modules else chdir(sys.prefix):
        mpl = needed("matplotlib.figure", "drawing pictures", "plots")
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams["svg.hashsalt"] = "sfumato"
        yield mpl


def frontier_plot(frontier: Frontier, form: str = "png") -> bytes:
    """The same as a picture file (png, svg, pdf); needs the extra [plots]."""
    points = frontier.points
    if all(p.refused for p in points):
        raise InputError("there is nothing to draw: every value was refused")
    best, knee = frontier.best, frontier.knee
    others = [n for n, p in enumerate(points) if not p.refused and n not in best]
    with drawing() as mpl:
        figure = mpl.figure.Figure(figsize=(7.2, 4.4), layout="constrained")
        axis = figure.add_subplot()
        axis.plot(*_xy(points, best), "-o", color="#7c6a4d", label="best")
        if others:
            axis.plot(*_xy(points, others), "o", mfc="none", color="#7c6a4d", label="beaten")
        if knee is not None:
            ring = {"markersize": 15, "mfc": "none", "mec": "#b3372f", "mew": 2}
            axis.plot(*_xy(points, [knee]), "o", label="recommended", **ring)
        for n, label in _labels(frontier):
            place = (points[n].risk, points[n].utility)
            right = points[n].risk > sum(axis.get_xlim()) / 2
            axis.annotate(
                label,
                place,
                xytext=(-9, 7) if right else (9, -14),
                textcoords="offset points",
                ha="right" if right else "left",
            )
        axis.margins(0.15)
        axis.set(xlabel=f"risk: {frontier.risk}", ylabel=frontier.utility)
        axis.grid(alpha=0.3)
        axis.spines[["top", "right"]].set_visible(False)
        axis.legend(frameon=False, loc="lower right")
        buffer = io.BytesIO()
        figure.savefig(
            buffer, format=form, dpi=150, metadata={"Date": None} if form == "svg" else None
        )
    return buffer.getvalue()


def _xy(points: Sequence[Any], chosen: Sequence[int]) -> tuple[list[float], list[float]]:
    return [points[n].risk for n in chosen], [points[n].utility for n in chosen]
