"""Flags that several commands have, in the groups that their help shows."""

from __future__ import annotations

import argparse

from tenxgraph_tui.cli.arguments import NO_REPORT, REPORTS, count, reports, seconds, share


def how(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Concurrency, time and when to stop."""
    group = parser.add_argument_group("how it runs")
    group.add_argument("--max-concurrency", type=count, metavar="N", help="cases at once")
    group.add_argument("--timeout", type=seconds, metavar="SECONDS", help="for all turns of a case")
    group.add_argument(
        "--fail-fast", action="store_true", help="stop at the first that does not pass"
    )
    group.add_argument(
        "--max-errors", type=count, metavar="N", help="stop when so many cases errored"
    )
    group.add_argument(
        "--retries",
        type=count,
        default=0,
        metavar="N",
        help="tries more where a server or a network failed, and not the agent",
    )
    return group


def out(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Thresholds, report files and events."""
    group = parser.add_argument_group("what comes out")
    group.add_argument(
        "--threshold",
        type=share,
        metavar="RATE",
        help="the share of cases that must pass, 0 to 1 (default: 1)",
    )
    group.add_argument(
        "--report",
        type=reports,
        metavar="KINDS",
        help=f"files to write: {', '.join(REPORTS)}; several with commas between, or {NO_REPORT}",
    )
    group.add_argument("--output-dir", metavar="DIR", help="where they go (default: eval_reports)")
    group.add_argument(
        "--events", metavar="FILE|-", help="write every event as a JSON line; - is standard output"
    )
    group.add_argument(
        "--quiet", action="store_true", help="nothing on standard error while it runs"
    )
    return group


def what(parser: argparse.ArgumentParser) -> None:
    """The target, and the config: a preset or a file."""
    group = parser.add_argument_group("what is evaluated, and against what")
    group.add_argument(
        "--target",
        metavar="SPEC",
        help="module:attr, path/file.py:attr, http://HOST/PATH, model:NAME, replay:FILE or "
        "replay:RUN (default: the one the eval set names)",
    )
    criteria(group, " (default: offline)")


def criteria(group: argparse._ArgumentGroup, default: str = "") -> None:
    """The config: a preset or a file."""
    config = group.add_mutually_exclusive_group()
    config.add_argument("--preset", metavar="NAME", help=f"a ready-made config{default}")
    config.add_argument("--config", metavar="FILE", help="a config file")


def judges(parser: argparse.ArgumentParser) -> None:
    """The model, its server, and whether answers are kept."""
    group = parser.add_argument_group("who judges, where a criterion asks a model")
    group.add_argument(
        "--judge-model",
        metavar="NAME",
        help="gpt-4o, claude-sonnet-4-5 or provider/model (default: each criterion's own)",
    )
    group.add_argument(
        "--judge-base-url", metavar="URL", help="an OpenAI-compatible server to ask for it"
    )
    group.add_argument(
        "--judge-cache",
        action=argparse.BooleanOptionalAction,
        help="keep judges' answers and use them again (default: in watch and the dashboard)",
    )


def which(parser: argparse.ArgumentParser) -> None:
    """Cases by their ids and tags."""
    group = parser.add_argument_group("which cases")
    group.add_argument(
        "--case", action="append", default=[], metavar="GLOB", help="whose id matches (repeatable)"
    )
    group.add_argument(
        "--tag", action="append", default=[], metavar="TAG", help="that carry the tag (repeatable)"
    )
