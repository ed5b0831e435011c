"""What runs again follows from what files said before and say now, and from what changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from tenxgraph_tui.session.protocol import SetRequest
from tenxgraph_tui.session.watching.contents import Contents, SetContent
from tenxgraph_tui.session.watching.decision import Decision, Rerun, both, decide, narrowed
from tenxgraph_tui.session.watching.followed import Followed, Role

ROOT = Path("/p")
SET, OTHER = ROOT / "a.evalset.json", ROOT / "b.evalset.json"
AGENT, HELPER, PROMPT = ROOT / "agents.py", ROOT / "lib/two.py", ROOT / "prompts/system.md"
CONFIG, SETTINGS = ROOT / "ci.evalconfig.json", ROOT / "pyproject.toml"
FOLLOWED = Followed(
    ROOT,
    {
        **dict.fromkeys((SET, OTHER), Role.EVAL_SET),
        **dict.fromkeys((AGENT, HELPER), Role.CODE),
        PROMPT: Role.DATA,
        CONFIG: Role.CONFIG,
        SETTINGS: Role.SETTINGS,
    },
    is_complete=True,
)


def content(
    file: Path = SET,
    cases: Mapping[str, str] | None = None,
    *,
    metadata: str = "m",
    config: Path | None = None,
    problem: str = "",
) -> SetContent:
    known = {"one": "1", "two": "2"} if cases is None else cases
    return SetContent(str(file), file, known, metadata, config, problem)


BEFORE = Contents.holding([content(), content(OTHER)], "s")


def decided(*sets: SetContent, changed: Path, settings: str = "s") -> Decision:
    return decide(BEFORE, Contents.holding(sets, settings), {changed}, FOLLOWED)


def ran(decision: Decision) -> set[tuple[str, str]] | None:
    assert decision.rerun is not None
    cases = decision.rerun.cases
    return None if cases is None else {(Path(path).name, eval_id) for path, eval_id in cases}


def test_all_of_a_module_runs_again_when_its_code_is_another() -> None:
    module = ROOT / "weather_eval.py"
    first, second = content(module), content(OTHER)
    before = Contents.holding([replace(first, code="a"), second], "s")
    after = Contents.holding([replace(first, code="b", metadata="n"), second], "s")
    decision = decide(before, after, {module}, FOLLOWED)
    assert ran(decision) == {("weather_eval.py", "one"), ("weather_eval.py", "two")}
    assert decision.reason == "weather_eval.py changed: 2 cases"


def test_an_edited_case_runs_alone() -> None:
    decision = decided(content(cases={"one": "1", "two": "x"}), content(OTHER), changed=SET)
    assert ran(decision) == {("a.evalset.json", "two")}
    assert decision.reason == "1 case edited in a.evalset.json"


def test_edited_and_new_cases_run_together() -> None:
    cases = {"one": "x", "two": "2", "three": "3"}
    decision = decided(content(cases=cases), content(OTHER), changed=SET)
    assert ran(decision) == {("a.evalset.json", "one"), ("a.evalset.json", "three")}
    assert decision.reason == "1 case edited and 1 case new in a.evalset.json"


def test_a_new_set_runs_whole() -> None:
    new = content(ROOT / "new/c.evalset.json")
    decision = decided(content(), content(OTHER), new, changed=new.file)
    assert ran(decision) == {("c.evalset.json", "one"), ("c.evalset.json", "two")}
    assert decision.reason == "new/c.evalset.json is new: 2 cases"


def test_a_set_with_another_target_runs_whole() -> None:
    decision = decided(content(metadata="x"), content(OTHER), changed=SET)
    assert ran(decision) == {("a.evalset.json", "one"), ("a.evalset.json", "two")}
    assert decision.reason == "the metadata of a.evalset.json changed: 2 cases"


def test_the_config_of_one_set_runs_that_set() -> None:
    sets = [content(config=CONFIG), content(OTHER)]
    decision = decide(Contents.holding(sets), Contents.holding(sets), {CONFIG}, FOLLOWED)
    assert ran(decision) == {("a.evalset.json", "one"), ("a.evalset.json", "two")}
    assert decision.reason == "ci.evalconfig.json changed: 2 cases of a.evalset.json"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        pytest.param(AGENT, "agents.py", id="the agent"),
        pytest.param(HELPER, "lib/two.py", id="a helper two imports deep"),
        pytest.param(PROMPT, "prompts/system.md", id="a prompt that it reads"),
        pytest.param(CONFIG, "ci.evalconfig.json", id="a config that was chosen for all"),
    ],
)
def test_everything_runs_when_it_all_depends_on_it(path: Path, name: str) -> None:
    decision = decided(content(), content(OTHER), changed=path)
    assert ran(decision) is None
    assert decision.reason == f"{name} changed: everything, failed cases first"


def test_many_changed_files_are_counted() -> None:
    paths = [ROOT / f"m{number}.py" for number in range(5)]
    followed = FOLLOWED.with_used(map(str, paths))
    reason = decide(BEFORE, BEFORE, paths, followed).reason
    assert reason == "m0.py, m1.py, m2.py and 2 more changed: everything, failed cases first"


def test_settings_run_everything_only_if_ours_changed() -> None:
    assert decided(content(), content(OTHER), changed=SETTINGS).rerun is None
    decision = decided(content(), content(OTHER), changed=SETTINGS, settings="t")
    assert ran(decision) is None
    assert decision.reason == "the settings changed: everything, failed cases first"


def test_everything_includes_what_was_edited_with_it() -> None:
    after = Contents.holding([content(cases={"one": "x"}), content(OTHER)], "s")
    decision = decide(BEFORE, after, {AGENT, SET}, FOLLOWED)
    assert ran(decision) is None
    assert decision.reason.endswith("failed cases first; 1 case edited in a.evalset.json")


@pytest.mark.parametrize(
    ("sets", "reason"),
    [
        pytest.param(
            [content(), content(OTHER)], "a.evalset.json changed, no case did", id="other words"
        ),
        pytest.param(
            [content(cases={"one": "1"}), content(OTHER)],
            "1 case gone: nothing to run again",
            id="a deleted case",
        ),
        pytest.param([content(OTHER)], "2 cases gone: nothing to run again", id="a deleted set"),
    ],
)
def test_nothing_runs_without_new_content(sets: list[SetContent], reason: str) -> None:
    decision = decided(*sets, changed=SET)
    assert (decision.rerun, decision.problems, decision.reason) == (None, (), reason)


def test_a_broken_set_is_a_problem_and_the_next_good_save_clears_it() -> None:
    broken = Contents.holding([content(cases={}, problem="line 3: broken"), content(OTHER)], "s")
    first = decide(BEFORE, broken, {SET}, FOLLOWED)
    assert (first.rerun, first.problems) == (None, ("line 3: broken",))
    assert first.reason == "a.evalset.json cannot be read"

    mended = Contents.holding([content(cases={"one": "1", "two": "x"}), content(OTHER)], "s")
    second = decide(broken.over(BEFORE), mended, {SET}, FOLLOWED)
    assert ran(second) == {("a.evalset.json", "two")}
    assert (second.problems, second.mended) == ((), (str(SET),))


def test_a_set_that_was_broken_and_is_as_before_runs_nothing() -> None:
    broken = Contents.holding([content(cases={}, problem="broken"), content(OTHER)], "s")
    decision = decide(broken.over(BEFORE), BEFORE, {SET}, FOLLOWED)
    assert (decision.rerun, decision.mended) == (None, (str(SET),))


def test_a_set_that_was_broken_from_the_start_is_new_once_it_can_be_read() -> None:
    broken = Contents.holding([content(cases={}, metadata="", problem="broken")])
    decision = decide(broken, Contents.holding([content()]), {SET}, FOLLOWED)
    assert ran(decision) == {("a.evalset.json", "one"), ("a.evalset.json", "two")}


def test_a_broken_set_does_not_keep_an_edited_one_from_running() -> None:
    broken, edited = content(cases={}, problem="broken"), content(OTHER, {"one": "x", "two": "2"})
    decision = decide(BEFORE, Contents.holding([broken, edited], "s"), {SET, OTHER}, FOLLOWED)
    assert ran(decision) == {("b.evalset.json", "one")}
    assert decision.problems == ("broken",)


def test_until_a_run_has_told_every_python_file_of_the_project_counts() -> None:
    early = Followed(ROOT, {SET: Role.EVAL_SET})
    assert decide(BEFORE, BEFORE, {ROOT / "tools.py"}, early).rerun is not None
    assert decide(BEFORE, BEFORE, {ROOT / "notes.md"}, early).rerun is None
    assert decide(BEFORE, BEFORE, {Path("/q/tools.py")}, early).rerun is None
    assert decide(BEFORE, BEFORE, {ROOT / "tools.py"}, FOLLOWED).rerun is None


def test_reruns_add_up_and_everything_wins() -> None:
    one, two = Rerun(frozenset({("a", "1")}), ("x",)), Rerun(frozenset({("a", "2")}), ("y", "x"))
    assert both(one, two) == Rerun(frozenset({("a", "1"), ("a", "2")}), ("x", "y"))
    assert both(None, one) is one
    assert both(one, None) is one
    assert both(one, Rerun(None, ("z",))) == Rerun(None, ("x", "z"))


def test_what_ran_is_not_left() -> None:
    two = Rerun(frozenset({("a", "1"), ("a", "2")}))
    assert two.without(Rerun(frozenset({("a", "1")}))) == Rerun(frozenset({("a", "2")}))
    assert two.without(two) is None
    assert two.without(Rerun(None)) is None
    assert Rerun(None).without(two) == Rerun(None)


def test_requests_are_narrowed_to_the_cases_in_file_order() -> None:
    sets = [SetRequest(path=str(SET)), SetRequest(path=str(OTHER), ids=("one",))]
    wanted = {(str(SET), "two"), (str(SET), "one"), (str(OTHER), "two"), (str(OTHER), "gone")}
    assert narrowed(sets, BEFORE, wanted) == (SetRequest(path=str(SET), ids=("one", "two")),)
    assert narrowed(sets, BEFORE, None) == tuple(sets)
