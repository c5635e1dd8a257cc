"""Charts as static SVG: readable without script, in light and dark, with a name and a description.

Written by hand because the three shapes below are a page of code, while the charting libraries at hand bring their own
colours, fonts or scripts, and cost more to bend to the theme than they save. Colours come from CSS classes.
"""

from __future__ import annotations

from hashlib import sha1
from math import ceil, floor, log10

from markupsafe import Markup, escape

from generator import formatting as fmt
from generator.views.document import Bars, Dots, History

WIDTH = 720  # of every drawing, in its own units; it scales to the page
_LEFT, _RIGHT, _ROW, _BAR = 270, 80, 28, 18


def svg(chart: Bars | Dots | History) -> Markup:
    """Return the drawing of a chart."""
    draw = {"bars": _bars, "dots": _dots, "history": _history}[chart.kind]
    height, body = draw(chart)  # type: ignore[operator]
    name = f"g{sha1((chart.title + chart.summary).encode(), usedforsecurity=False).hexdigest()[:10]}"
    return Markup(  # noqa: S704 - every text is escaped where it is placed
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="{name}">'
        f'<title id="{name}">{escape(chart.title)}</title>{body}</svg>'
    )


def _text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    style = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{style}>{escape(words)}</text>'


def _bars(chart: Bars) -> tuple[int, str]:
    longest = max((sum(part.size for part in parts) for _, parts, _ in chart.bars), default=0) or 1
    names = list(dict.fromkeys(part.name for _, parts, _ in chart.bars for part in parts))
    scale = (WIDTH - _LEFT - _RIGHT) / longest
    drawn = [_legend(names)]
    top = 18 * ceil(len(names) / 5) + 12 if len(names) > 1 else 0
    for row, (label, parts, total) in enumerate(chart.bars):
        y, x = top + row * _ROW, float(_LEFT)
        drawn.append(_text(_LEFT - 8, y + _BAR - 5, label, "", "end"))
        for part in parts:
            width = part.size * scale
            drawn.append(
                f'<rect class="cor{names.index(part.name)}" x="{x:.1f}" y="{y}" width="{width:.1f}" height="{_BAR}">'
                f"<title>{escape(f'{label}: {part.name} {part.text}')}</title></rect>"
            )
            x += width
        drawn.append(_text(x + 6, y + _BAR - 5, total, "forte"))
    return top + len(chart.bars) * _ROW, "".join(drawn)


def _legend(names: list[str]) -> str:
    if len(names) < 2:
        return ""
    drawn = []
    for place, name in enumerate(names):
        x, y = place % 5 * (WIDTH / 5), place // 5 * 18
        drawn.append(f'<rect class="cor{place}" x="{x:.1f}" y="{y + 2}" width="11" height="11"/>')
        drawn.append(_text(x + 16, y + 12, name))
    return "".join(drawn)


class _Log:
    """A logarithmic axis over some values, drawn between two ends."""

    def __init__(self, values: list[float], start: float, end: float) -> None:
        self.low, self.high = log10(min(values)) - 0.05, log10(max(values)) + 0.05
        self.start, self.end = start, end

    def __call__(self, value: float) -> float:
        return self.start + (log10(value) - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Return 1, 2 and 5 of every decade that the axis shows."""
        decades = range(floor(self.low), ceil(self.high) + 1)
        every = [digit * 10.0**decade for decade in decades for digit in (1, 2, 5)]
        return [value for value in every if self.low <= log10(value) <= self.high]


def _dots(chart: Dots) -> tuple[int, str]:
    height, left, bottom = 440, 60, 50
    x_axis = _Log([dot.x for dot in chart.dots], left, WIDTH - 12)
    y_axis = _Log([dot.y for dot in chart.dots], height - bottom, 12)
    drawn = []
    for tick in x_axis.ticks():
        x = x_axis(tick)
        drawn.append(f'<line class="grade" x1="{x:.1f}" x2="{x:.1f}" y1="12" y2="{height - bottom}"/>')
        drawn.append(_text(x, height - bottom + 16, fmt.number(tick, 2), "eixo", "middle"))
    for tick in y_axis.ticks():
        y = y_axis(tick)
        drawn.append(f'<line class="grade" x1="{left}" x2="{WIDTH - 12}" y1="{y:.1f}" y2="{y:.1f}"/>')
        drawn.append(_text(left - 6, y + 4, fmt.number(tick, 2), "eixo", "end"))
    drawn.append(_text((left + WIDTH) / 2, height - 10, chart.x_label, "forte", "middle"))
    drawn.append(
        f'<text class="forte" text-anchor="middle" transform="translate(14 {(height - bottom) / 2:.0f}) rotate(-90)">'
        f"{escape(chart.y_label)}</text>"
    )
    drawn += _points(chart, x_axis, y_axis)
    return height, "".join(drawn)


def _points(chart: Dots, x_axis: _Log, y_axis: _Log) -> list[str]:
    """Return the points, each with its name where no other name and no point is in the way."""
    places = [(x_axis(dot.x), y_axis(dot.y)) for dot in chart.dots]
    taken = [(x - 5, y + 4, 10.0) for x, y in places]
    drawn: list[str] = []
    for dot, (x, y) in zip(chart.dots, places, strict=True):
        drawn.append(
            f'<circle class="ponto" cx="{x:.1f}" cy="{y:.1f}" r="4.5"><title>{escape(dot.text)}</title></circle>'
        )
        width = 6.2 * len(dot.name)
        around = [(x + 7, y + 4), (x - 7 - width, y + 4), (x - width / 2, y - 8), (x - width / 2, y + 17)]
        free = next((place for place in around if _is_free(place, width, taken)), None)
        if free:
            taken.append((*free, width))
            drawn.append(_text(free[0], free[1], dot.name, "nome"))
    return drawn


def _is_free(place: tuple[float, float], width: float, taken: list[tuple[float, float, float]]) -> bool:
    x, y = place
    is_inside = x > 62 and x + width < WIDTH
    return is_inside and all(abs(y - b) > 11 or x + width < a or a + w < x for a, b, w in taken)


def _history(chart: History) -> tuple[int, str]:
    height, left, bottom = 260, 70, 40
    days = [moment.day.toordinal() for moment in chart.moments]
    step = _step(max(moment.high for moment in chart.moments) / 4)
    most = step * 5
    across = (WIDTH - left - 12) / max(1, days[-1] - days[0])
    x = {day: left + (day - days[0]) * across for day in days}

    def y(price: float) -> float:
        return height - bottom - price / most * (height - bottom - 12)

    drawn = []
    for part in range(6):
        level = y(step * part)
        drawn.append(f'<line class="grade" x1="{left}" x2="{WIDTH - 12}" y1="{level:.1f}" y2="{level:.1f}"/>')
        drawn.append(_text(left - 6, level + 4, fmt.money(round(step * part, 4)), "eixo", "end"))
    for moment in (chart.moments[0], chart.moments[len(days) // 2], chart.moments[-1]):
        place = "start" if moment is chart.moments[0] else "end" if moment is chart.moments[-1] else "middle"
        drawn.append(_text(x[moment.day.toordinal()], height - bottom + 18, fmt.day_short(moment.day), "eixo", place))
    for run in _runs(days):
        mine = [moment for moment in chart.moments if moment.day.toordinal() in run]
        upper = " ".join(f"{x[m.day.toordinal()]:.1f},{y(m.high):.1f}" for m in mine)
        lower = " ".join(f"{x[m.day.toordinal()]:.1f},{y(m.low):.1f}" for m in reversed(mine))
        line = " ".join(f"{x[m.day.toordinal()]:.1f},{y(m.median):.1f}" for m in mine)
        drawn.append(f'<polygon class="faixa" points="{upper} {lower}"/><polyline class="linha" points="{line}"/>')
    return height, "".join(drawn)


def _step(least: float) -> float:
    """Return the smallest of 1, 2 and 5 times a power of ten that is not below a value."""
    decade = 10.0 ** floor(log10(least))
    return next(digit * decade for digit in (1, 2, 5, 10) if digit * decade >= least)


def _runs(days: list[int]) -> list[set[int]]:
    """Return the days in runs without a gap: a missing day is not drawn over."""
    runs: list[set[int]] = []
    for before, day in zip([days[0] - 2, *days], days, strict=False):
        if day != before + 1:
            runs.append(set())
        runs[-1].add(day)
    return runs
