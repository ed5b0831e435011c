"""What the bars and toasts say of a desk, in words."""

from __future__ import annotations

from tenxgraph_tui.evaluation.numbers import ago
from tenxgraph_tui.tui.asking import to_run
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.keywords import word


def facts(desk: Desk) -> list[tuple[str, str]]:
    """What is run, by what, and against what, for the top of the screen: (label, value)."""
    target, config = desk.target_name(), config_name(desk)
    number = desk.state.number
    return [
        ("" if target.endswith(" targets") else "target", target),
        ("" if config.endswith(" configs") else "preset", preset_label(config)),
        baseline_fact(desk),
        ("run", f"#{number}" if number is not None else ""),
    ]


def preset_label(config: str) -> str:
    """How a run was checked, where it is said before that this is a preset."""
    return config.removesuffix(" (preset)")


def baseline_fact(desk: Desk) -> tuple[str, str]:
    """The run that this one is compared with, or the one whose executions it judged again."""
    origin = desk.state.judged_from
    if origin is not None:
        return "judged from", f"#{origin.number}"
    return "baseline", baseline_name(desk)


def baseline_name(desk: Desk) -> str:
    """`#17`, and how that run was checked where it was another way than the run that is shown."""
    baseline = desk.comparison.baseline
    if baseline is None:
        return ""
    config = baseline.config.partition(" (")[0]
    is_other = config and config != config_name(desk).partition(" (")[0]
    return f"#{baseline.number} ({config})" if is_other else f"#{baseline.number}"


def config_name(desk: Desk) -> str:
    """The config of the run that is shown, else the one that the next run takes."""
    names = dict.fromkeys(info.config for info in desk.state.sets if info.config)
    if len(names) == 1:
        return next(iter(names))
    return f"{len(names)} configs" if names else desk.choices.preset.name


def starting_with(desk: Desk) -> str:
    """What a worker does before it tells that a run began."""
    request = desk.request
    if request is not None and request.kind == "rescore":
        return f"judging #{request.judged_from} again"
    return f"loading {desk.target_name() or 'the target'}"


def label_of(desk: Desk, binding: str | None) -> str:
    """What a key does now, where that is more than its binding knows; else ""."""
    match binding:
        case "run.start":
            return run_label(desk)
        case "run.watch":
            return "Watch off" if desk.watch.is_on else "Watch"
        case "notice.edit" if desk.trouble is not None and desk.trouble.line is not None:
            return f"Open line {desk.trouble.line}"
    return ""


def run_label(desk: Desk) -> str:
    """What `r` does, with its size."""
    if desk.trouble is not None:
        return "Try again"
    picked = " selected" if desk.choices.selected else ""
    return f"Run {to_run(desk)}{picked}"


def why_none_failed(desk: Desk, *, is_filtered: bool = False) -> str:
    """What to say where a case that did not pass was asked for and there is none."""
    if is_filtered:
        return f"No case that is shown failed. {word('cases.clear_filter')} clears the filter."
    if desk.is_busy:
        return "No case has failed so far."
    if desk.state.started_at is None:
        if desk.board.earlier:
            return "No case failed when it last ran."
        return f"No case has run yet. {word('run.start')} runs them."
    return "No case failed in this run."


def last_run(desk: Desk, now: float) -> tuple[str, ...]:
    """The newest run that is kept, the longest way first: `last run #17: 27/36 passed, 2 h ago`.

    One that did not end by itself says so, however little room there is.
    """
    run = desk.last
    if run is None:
        return ()
    named = f"last run #{run.number}{f' {run.ending}' if run.ending else ''}"
    told = f"{named}: {run.passed}/{run.total} passed"
    return (f"{told}, {ago(now - run.at)}", told, named)
