"""The lines that change while the results above them stay: what goes on, and the keys."""

from __future__ import annotations

from collections.abc import Sequence

from tenxgraph_tui.cli.watching.prompt import Prompt
from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.progress import RunState
from tenxgraph_tui.evaluation.reporters.look import Line, Look
from tenxgraph_tui.evaluation.visible import visible
from tenxgraph_tui.session.watching.estimate import Estimate

RUN_KEYS = (("x", "stop this run"), ("q", "quit"))
IDLE_KEYS = (
    ("a", "all"),
    ("f", "failed"),
    ("p", "file filter"),
    ("t", "case filter"),
    ("enter", "again"),
    ("v", "watched"),
    ("q", "quit"),
)
ARMED_KEYS = (
    ("enter", "run them"),
    ("f", "not passed only"),
    ("esc", "not now"),
    ("!", "stop asking"),
    ("q", "quit"),
)


def running(
    state: RunState, planned: int, reason: str, look: Look, *, has_keys: bool
) -> list[Line]:
    """The changing lines while a run goes on."""
    glyph = "▸" if look.unicode else ">"
    total = len(state.cases) or planned
    far = f" {state.done}/{total}" if total else ""
    line: Line = [(f"{glyph} running{far}", "bold cyan")]
    failed = state.counts[CaseStatus.FAILED] + state.counts[CaseStatus.ERROR]
    if failed:
        line.append((f"  {failed} not passed", "red"))
    line.append((f"{look.dot}{visible(reason)}" if reason else "", "dim"))
    return [line, keys(RUN_KEYS, look.width)] if has_keys else [line]


def waiting(note: str, watched: str, look: Look, *, has_keys: bool) -> list[Line]:
    """The changing lines while nothing runs: what the last save came to, what is watched, keys."""
    lines: list[Line] = [[(visible(note), "dim")]] if note else []
    lines.append([(visible(watched), "dim")])
    if has_keys:
        lines.append(keys(IDLE_KEYS, look.width))
    return lines


def question(cost: Estimate, reason: str, look: Look, *, has_keys: bool) -> list[Line]:
    """What would run and what it costs, and how to say yes."""
    dollars = "at an unknown price" if cost.dollars is None else f"≈ {numbers.money(cost.dollars)}"
    if not look.unicode:
        dollars = dollars.replace("≈", "about")
    models = ", ".join(dict.fromkeys(bill.model for bill in cost.bills))
    calls = numbers.plural(cost.calls, "call")
    line: Line = [
        ("armed", "bold yellow"),
        (f"  {numbers.plural(cost.cases, 'case')} would make {calls} of {visible(models)}, ", ""),
        (dollars, "bold"),
        (f"{look.dot}{visible(reason)}" if reason else "", "dim"),
    ]
    if has_keys:
        return [line, keys(ARMED_KEYS, look.width)]
    return [line, [("nobody can confirm it here: start with --no-confirm to run it", "dim")]]


def asked(prompt: Prompt) -> list[Line]:
    """A text is typed."""
    hint = "  (part of a name, or a glob; empty for all; enter runs, esc leaves it)"
    return [[(f"{prompt.question}: ", "bold"), (visible(prompt.text), ""), (hint, "dim")]]


def keys(pairs: Sequence[tuple[str, str]], width: int) -> Line:
    """The last line, like `a all  f failed`; where it has no room, `q` stays."""
    *others, last = pairs
    while others and len("  ".join(map(" ".join, (*others, last)))) >= width:
        others.pop()
    line: Line = []
    for key, label in (*others, last):
        gap = "  " if line else ""
        line += [(f"{gap}{key}", "bold"), (f" {label}", "dim")]
    return line
