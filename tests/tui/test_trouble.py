from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.evaluation.events import Reply
from tenxgraph_tui.evaluation.judging.address import check
from tenxgraph_tui.tui.pump import WorkerEnded
from tenxgraph_tui.tui.trouble import SHOWN_STDERR, Trouble, broken_off, crashed, refused

SOURCE = "def forecast():\n    days = 1\n    retrun days\n\nlast = 5\n"


def refusal(error: str, exit_code: int = 5, root: Path | None = None, **data: object) -> Trouble:
    reply = Reply(
        seq=0, at=0, run_id="run", request="run", error=error, exit_code=exit_code, data=data
    )
    return refused(reply, target="agents.py:assistant", root=root or Path("/nowhere"))


def test_a_mistake_in_the_target_shows_the_lines_around_it(tmp_path: Path) -> None:
    (tmp_path / "agents.py").write_text(SOURCE)
    trouble = refusal("agents.py:3: SyntaxError: invalid syntax", root=tmp_path)
    assert (trouble.kind, trouble.message) == ("SyntaxError", "invalid syntax")
    assert trouble.place == "agents.py, line 3"
    assert [line.number for line in trouble.excerpt] == [1, 2, 3, 4, 5]
    assert [line.text for line in trouble.excerpt if line.hot] == ["    retrun days"]
    assert trouble.subject == "Target"
    assert trouble.name == "agents.py:assistant"


@pytest.mark.parametrize(
    ("error", "kind", "message", "place"),
    [
        pytest.param(
            "agents.py, line 31: ImportError: no module named 'wetter'",
            "ImportError",
            "no module named 'wetter'",
            "agents.py, line 31",
            id="a place in words",
        ),
        pytest.param(
            "no target: give one with --target",
            "",
            "no target: give one with --target",
            "",
            id="a sentence of ours",
        ),
        pytest.param(
            "agents.py:assistant could not be built: ValueError: bad key",
            "ValueError",
            "bad key",
            "",
            id="a name of a target is no place",
        ),
    ],
)
def test_an_error_is_taken_apart(error: str, kind: str, message: str, place: str) -> None:
    trouble = refusal(error)
    assert (trouble.kind, trouble.message, trouble.place) == (kind, message, place)


def test_the_sentence_before_the_exception_becomes_the_headline(tmp_path: Path) -> None:
    trouble = refusal(
        "target agents.py:slow could not be imported, no case was run: ModuleNotFoundError: "
        f"No module named 'wetter' ({tmp_path}/agents.py:1). It is missing: install it there",
        root=tmp_path,
    )
    assert trouble.headline == "target agents.py:slow could not be imported, no case was run"
    assert trouble.message == "No module named 'wetter'"
    assert trouble.place == "agents.py, line 1"
    assert ("remedy", "It is missing: install it there") in trouble.facts


@pytest.mark.parametrize(
    ("exit_code", "subject"),
    [
        pytest.param(5, "Target", id="5 is about the target"),
        pytest.param(4, "Config", id="4 is about config or eval set"),
        pytest.param(2, "Run", id="anything else is about the run"),
    ],
)
def test_the_exit_code_says_what_it_is_about(exit_code: int, subject: str) -> None:
    assert refusal("no", exit_code).subject == subject


def test_a_line_that_the_file_does_not_have_shows_no_excerpt(tmp_path: Path) -> None:
    (tmp_path / "agents.py").write_text(SOURCE)
    assert refusal("agents.py:99: SyntaxError: no", root=tmp_path).excerpt == ()


def test_a_file_that_is_gone_shows_no_excerpt() -> None:
    assert refusal("agents.py:3: SyntaxError: no").excerpt == ()


def test_what_the_worker_tells_in_data_is_not_guessed_from_its_words(tmp_path: Path) -> None:
    (tmp_path / "agents.py").write_text(SOURCE)
    trouble = refusal(
        "target agents.py:a could not be imported, no case was run: JSONDecodeError: Oops (x.py:9)",
        root=tmp_path,
        kind="SyntaxError",
        message="invalid syntax",
        file=str(tmp_path / "agents.py"),
        line=3,
        column=11,
        end_column=15,
        python="/venv/bin/python (3.11.7)",
        traceback=["Traceback", "SyntaxError: invalid syntax"],
    )
    assert (trouble.kind, trouble.message) == ("SyntaxError", "invalid syntax")
    assert (trouble.place, trouble.line) == ("agents.py, line 3", 3)
    assert trouble.file == str(tmp_path / "agents.py")
    assert [(line.number, line.marks) for line in trouble.excerpt if line.hot] == [(3, (11, 15))]
    assert ("python", "/venv/bin/python (3.11.7)") in trouble.facts
    assert trouble.log == ("Traceback", "SyntaxError: invalid syntax")


def test_several_targets_that_cannot_be_loaded_are_one_error_and_the_number_of_others() -> None:
    lines = [f"target agents.py:{name} could not be imported: KeyError: 'x'" for name in "abc"]
    trouble = refusal("\n".join(lines), traceback=["Traceback", "KeyError: 'x'"])
    assert trouble.message == "'x'"
    assert ("also", "2 more errors like this, 6 shows them") in trouble.facts
    assert trouble.log == (*lines[1:], "", "Traceback", "KeyError: 'x'")


def test_problems_of_several_files_are_all_told() -> None:
    error = "a.json:3: no eval_id\nb.json:4: no eval_id"
    assert refusal(error, 4).message == error


def test_an_error_of_several_lines_is_one() -> None:
    trouble = refusal("target a.py:a could not be imported: ValueError: 2 errors\nname\nage")
    assert trouble.message == "2 errors\nname\nage"
    assert "also" not in dict(trouble.facts)


def test_an_interpreter_that_the_remedy_names_is_not_named_twice() -> None:
    trouble = refusal(
        "target a.py:a could not be imported: ModuleNotFoundError: No module named 'wetter' "
        "(a.py:1). It is missing in /venv/bin/python: install it there",
        python="/venv/bin/python (3.11.7)",
    )
    assert [label for label, _ in trouble.facts] == ["remedy", "then"]


@pytest.mark.parametrize("data", [{"file": 3, "line": "x"}, {"kind": 1, "traceback": 9}])
def test_data_that_make_no_sense_are_left_alone(data: dict[str, Any]) -> None:
    assert refusal("no target", **data).message == "no target"


def test_what_is_known_beside_the_error_stands_before_what_to_do() -> None:
    reply = Reply(seq=0, at=0, run_id="run", request="run", error="no", exit_code=5)
    known = [("last good", "#18   27 of 36 passed, 14:32")]
    trouble = refused(reply, target="", root=Path(), known=known)
    assert [label for label, _ in trouble.facts] == ["last good", "then"]


def test_a_crash_in_c_shows_where_it_happened() -> None:
    said: tuple[str, ...] = ("noise", "Fatal Python error: Segmentation fault", "", "Thread 1:")
    said += (
        "  File waiting",
        "",
        "Current thread 2:",
        '  File "agents.py", line 3 in look',
        *["  File below"] * 30,
    )
    trouble = crashed(WorkerEnded("one", -11, said), done=0, planned=2, target="agents.py:slow")
    assert trouble.output[:2] == (said[1], '  File "agents.py", line 3 in look')
    assert len(trouble.output) == SHOWN_STDERR


def test_without_a_crash_the_last_lines_are_shown() -> None:
    said = tuple(f"line {number}" for number in range(30))
    trouble = crashed(WorkerEnded("one", 7, said), done=0, planned=2, target="agents.py:slow")
    assert trouble.output == said[-SHOWN_STDERR:]


def test_a_run_that_broke_off_says_why() -> None:
    assert "disk full" in broken_off("runs.db: disk full").message


@pytest.mark.parametrize(
    ("done", "planned", "kept"),
    [
        pytest.param(0, 0, "no case was run", id="before the cases were known"),
        pytest.param(0, 2, "no case was finished", id="in the first cases"),
        pytest.param(1, 2, "1 of 2 cases were finished and are kept", id="later"),
    ],
)
def test_a_worker_that_died_says_what_is_kept(done: int, planned: int, kept: str) -> None:
    trouble = crashed(WorkerEnded("one", 7), done=done, planned=planned, target="agents.py:slow")
    assert trouble.headline == f"the worker ended with exit code 7, {kept}"


def test_a_judge_that_cannot_be_asked_is_answered_with_another_preset() -> None:
    with pytest.raises(ConfigError) as caught:
        check(["gpt-4o"], None, {})
    trouble = refusal(str(caught.value), ConfigError.exit_code)
    assert dict(trouble.facts)["then"] == "p chooses another preset, esc shows the cases"
