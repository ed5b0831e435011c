"""What a `confeval.py` wants checked is counted, and asked about where nobody has read it."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tenxgraph_tui.evaluation.config import CriterionConfig, EvalConfig
from tenxgraph_tui.evaluation.presets import EvalPresets
from tenxgraph_tui.session.discovery import discover, survey
from tenxgraph_tui.session.modules import ListedModule, ModuleLister
from tenxgraph_tui.session.watching.decision import Rerun
from tenxgraph_tui.settings import load
from tenxgraph_tui.tui.catalog import Catalog
from tenxgraph_tui.tui.choices import Choices, chosen, presets
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.lines.armed import armed_lines
from tenxgraph_tui.tui.presets import Preset
from tenxgraph_tui.tui.prospects import Prospects
from tenxgraph_tui.tui.rereading import changes
from tenxgraph_tui.tui.surveying import again
from tenxgraph_tui.tui.watching.costs import cost_of, models_asked
from tenxgraph_tui.tui.watching.question import Answer, Question
from tenxgraph_tui.tui.watching.reading import Reader
from tests.tui.script import eval_set

MODEL = CriterionConfig().judge_model


def judged(samples: int = 2) -> EvalConfig:
    config = EvalConfig()
    config.enable_criterion("llm_judge", CriterionConfig(num_samples=samples))
    return config


def told(config: EvalConfig | None = None, *problems: str) -> ListedModule:
    dumped = config.model_dump(mode="json") if config is not None else None
    return ListedModule(problems=problems, config=dumped, config_name="CONFIG")


def project(root: Path, *confevals: str) -> Catalog:
    """Two cases in `evals/deep`, as the first frame has them."""
    folder = root / "evals" / "deep"
    folder.mkdir(parents=True)
    eval_set("weather", ["oslo", "rome"]).to_file(str(folder / "weather.evalset.json"))
    for name in confevals:
        (root / name).write_text("raise SystemExit('this ran in the dashboard')")
    return Catalog.of(discover([], root), "project", ())


def reread(catalog: Catalog, root: Path, known: Mapping[str, ListedModule]) -> Catalog:
    def listed(files: Sequence[Path]) -> dict[Path, ListedModule]:
        return {file: known[file.relative_to(root).as_posix()] for file in files}

    return again(catalog, survey([], root), listed)


def desk_of(catalog: Catalog, root: Path) -> Desk:
    entries = presets(catalog)
    return Desk(catalog, Choices(entries, chosen(entries, None)), root)


def test_judged_criteria_of_a_confeval_are_counted(tmp_path: Path) -> None:
    catalog = project(tmp_path, "confeval.py")
    desk = desk_of(reread(catalog, tmp_path, {"confeval.py": told(judged())}), tmp_path)
    cost = cost_of(desk, desk.catalog)
    assert (cost.cases, cost.judged, cost.unread) == (2, ("llm_judge",), 0)
    assert [(bill.model, bill.calls) for bill in cost.bills] == [(MODEL, 4)]
    assert cost.must_ask()
    assert models_asked(desk) == [MODEL]
    assert Prospects(desk).of(desk.choices.preset).calls == 4


def test_one_that_nobody_read_yet_is_asked_about(tmp_path: Path) -> None:
    desk = desk_of(project(tmp_path, "confeval.py"), tmp_path)
    cost = cost_of(desk, desk.catalog)
    assert (cost.calls, cost.unread, cost.is_free, cost.dollars) == (0, 2, False, None)
    assert cost.must_ask(above=1000.0)
    assert not cost.must_ask(None)
    question = Question(Rerun(None), cost)
    assert Answer.OFFLINE in question.answers
    sheet = "\n".join(line.plain for line in armed_lines(question, 100, 30))
    assert "confeval.py not read yet" in sheet


def test_another_preset_is_run_instead_of_it_and_costs_what_that_does(tmp_path: Path) -> None:
    desk = desk_of(project(tmp_path, "confeval.py"), tmp_path)
    assert desk.choices.preset.name == "as the sets say"
    offline = next(one for one in desk.choices.presets if one.name == "offline")
    desk.choose(offline)
    assert cost_of(desk, desk.catalog).is_free
    assert offline.carried == "offline", "or the worker would take the confeval's config"


def test_one_that_cannot_be_read_is_asked_about(tmp_path: Path) -> None:
    catalog = project(tmp_path, "confeval.py")
    broken = reread(catalog, tmp_path, {"confeval.py": told(None, "confeval.py:1: no")})
    desk = desk_of(broken, tmp_path)
    assert cost_of(desk, desk.catalog).must_ask()


def test_one_that_cannot_be_read_stands_among_the_files_until_it_is_mended(tmp_path: Path) -> None:
    first = project(tmp_path, "confeval.py")
    broken = reread(first, tmp_path, {"confeval.py": told(None, "confeval.py:3: no")})
    confeval = broken.files[-1]
    assert (confeval.path, confeval.problem) == (str(tmp_path / "confeval.py"), "confeval.py:3: no")
    assert confeval.label == "confeval.py"
    assert broken.files[0].near == Preset(
        "confeval.py", None, None, problem="confeval.py:3: no", is_unread=True
    )
    assert changes(first, broken) == "1 file cannot be read"
    mended = reread(broken, tmp_path, {"confeval.py": told(judged())})
    assert [Path(file.path).name for file in mended.files] == ["weather.evalset.json"]
    assert changes(broken, mended) == "1 file can be read again"


def test_one_that_cannot_be_read_is_no_set_for_watch_mode(tmp_path: Path) -> None:
    first = project(tmp_path, "confeval.py")
    broken = reread(first, tmp_path, {"confeval.py": told(None, "confeval.py:3: no")})
    contents, _ = Reader(lambda: load(tmp_path, {}, {})).contents(broken)
    assert [*contents.sets] == [first.files[0].path], "or what mends it would be no reason to rerun"


def test_the_nearest_that_has_a_config_counts(tmp_path: Path) -> None:
    catalog = project(tmp_path, "confeval.py", "evals/confeval.py", "evals/deep/confeval.py")
    found = reread(
        catalog,
        tmp_path,
        {
            "confeval.py": told(judged()),
            "evals/confeval.py": told(EvalPresets.quick_check()),
            "evals/deep/confeval.py": told(),
        },
    )
    assert found.files[0].near == Preset("evals/confeval.py", None, EvalPresets.quick_check())
    desk = desk_of(found, tmp_path)
    assert cost_of(desk, desk.catalog).is_free


def test_what_the_set_asks_for_itself_comes_first(tmp_path: Path) -> None:
    project(tmp_path, "confeval.py")
    path = tmp_path / "evals" / "deep" / "weather.evalset.json"
    eval_set("weather", ["oslo"], config="quick_check").to_file(str(path))
    desk = desk_of(Catalog.of(discover([], tmp_path), "project", ()), tmp_path)
    assert cost_of(desk, desk.catalog).is_free


def test_one_with_hooks_alone_leaves_what_runs_by_itself(tmp_path: Path) -> None:
    desk = desk_of(project(tmp_path, "confeval.py"), tmp_path)
    found = reread(desk.catalog, tmp_path, {"confeval.py": told()})
    standing = Preset("quick_check", None, None, "settings")
    desk.reread(found, presets(found, standing=standing))
    assert (desk.choices.preset.name, desk.choices.preset.carried) == ("quick_check", None)
    assert cost_of(desk, desk.catalog).is_free


def test_to_know_it_is_no_change_and_another_config_is_one(tmp_path: Path) -> None:
    first = project(tmp_path, "confeval.py")
    known = reread(first, tmp_path, {"confeval.py": told(judged(2))})
    same = reread(known, tmp_path, {"confeval.py": told(judged(2))})
    other = reread(known, tmp_path, {"confeval.py": told(judged(3))})
    assert changes(first, known) == ""
    assert same.files[0] is known.files[0]
    assert changes(known, other) == "1 file changed"
    assert other.files[0] is not known.files[0]


def test_a_worker_tells_it(tmp_path: Path) -> None:
    catalog = project(tmp_path)
    (tmp_path / "confeval.py").write_text(
        "from tenxgraph_tui.evaluation import EvalConfig\n"
        f"EVAL_CONFIG = EvalConfig.model_validate_json({json.dumps(judged().model_dump_json())})\n"
    )
    lister = ModuleLister(tmp_path, lambda: sys.executable)
    desk = desk_of(again(catalog, survey([], tmp_path), lister), tmp_path)
    assert [bill.calls for bill in cost_of(desk, desk.catalog).bills] == [4]
