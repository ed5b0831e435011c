"""The log file keeps what was printed, up to its limit, and never stops a run."""

from __future__ import annotations

from pathlib import Path

from tenxgraph_tui.cli.lines import Line
from tenxgraph_tui.cli.logfile import LogFile
from tenxgraph_tui.evaluation.results import CaseKey


def line(text: str) -> Line:
    return Line(CaseKey(1, "tokyo"), "stdout", "info", text)


def test_each_line_has_its_case_and_source(tmp_path: Path) -> None:
    log = LogFile(tmp_path / "7.log")
    log(line("hello"))
    log(Line(None, "process", "info", "from C"))
    log.close()
    first, second = (tmp_path / "7.log").read_text().splitlines()
    assert first.split(maxsplit=1)[1] == "1/tokyo stdout | hello"
    assert second.split(maxsplit=1)[1] == "- process | from C"


def test_a_silent_run_leaves_no_file(tmp_path: Path) -> None:
    LogFile(tmp_path / "7.log").close()
    assert list(tmp_path.iterdir()) == []


def test_only_its_owner_reads_it_and_no_terminal_is_driven_by_it(tmp_path: Path) -> None:
    log = LogFile(tmp_path / "7.log")
    log(line("\x1b[2J \ud83d"))
    log.close()
    path = tmp_path / "7.log"
    assert path.stat().st_mode & 0o077 == 0
    assert r"\x1b[2J \ud83d" in path.read_text()


def test_it_does_not_grow_for_ever(tmp_path: Path) -> None:
    log = LogFile(tmp_path / "7.log", limit=10_000)
    for _ in range(1_000):
        log(line("x" * 100))
    log.close()
    assert (tmp_path / "7.log").stat().st_size < 10_200
    assert (tmp_path / "7.log").read_text().splitlines()[-1] == (
        "the log is full at 10000 bytes, the rest is left out"
    )


def test_a_folder_that_is_gone_is_no_error(tmp_path: Path) -> None:
    log = LogFile(tmp_path / "gone" / "7.log")
    log(line("hello"))
    log.flush()
    log.close()
