"""What is followed, and what each file is to a run."""

from __future__ import annotations

from pathlib import Path

from tenxgraph_tui.session.watching.contents import Contents, SetContent
from tenxgraph_tui.session.watching.followed import Followed, Role

ROOT = Path("/p")
SET, AGENT, PROMPT = ROOT / "a.evalset.json", ROOT / "agents.py", ROOT / "p.md"
CONTENTS = Contents.holding([SetContent(str(SET), SET, {"one": "1"})])


def test_a_run_tells_code_from_data_by_the_name() -> None:
    followed = Followed(ROOT).with_used([str(AGENT), str(PROMPT)])
    assert followed.files == {AGENT: Role.CODE, PROMPT: Role.DATA}


def test_an_eval_set_stays_one_when_a_run_has_read_it() -> None:
    followed = Followed(ROOT).with_sets(CONTENTS).with_used([str(SET)])
    assert followed.files[SET] is Role.EVAL_SET
    assert Followed(ROOT).with_used([str(SET)]).with_sets(CONTENTS).files[SET] is Role.EVAL_SET


def test_what_a_run_used_stays_when_the_sets_are_read_again() -> None:
    followed = Followed(ROOT).with_sets(CONTENTS).with_used([str(AGENT)])
    assert followed.with_sets(Contents()).files == {AGENT: Role.CODE}


def test_a_run_that_told_nothing_leaves_every_python_file_followed() -> None:
    assert not Followed(ROOT).completed().is_complete
    told = Followed(ROOT).with_used([str(AGENT)])
    assert told.completed().is_complete
    assert not told.completed(is_complete=False).is_complete


def test_files_are_shown_from_the_root_where_they_lie_below() -> None:
    followed = Followed(ROOT)
    assert followed.shown(ROOT / "lib/a.py") == "lib/a.py"
    assert followed.shown(Path("/data/x.json")) == "/data/x.json"
    assert followed.shown(ROOT / "..hidden.py") == "..hidden.py"


def test_what_runs_use_is_known_to_the_next_session_as_far_as_it_is_there(tmp_path: Path) -> None:
    root, far = tmp_path / "project", tmp_path / "far.md"
    root.mkdir()
    for path in (root / "p.md", root / "gone.md", far):
        path.write_text("x")
    told = [str(root / "p.md"), str(root / "gone.md"), str(far)]
    used = Followed(root).with_sets(CONTENTS).with_used(told).used
    assert used == {"p.md", "gone.md", str(far)}
    (root / "gone.md").unlink()
    recalled = Followed(root).recalled(used)
    assert recalled.files == {root / "p.md": Role.DATA, far: Role.DATA}
    assert not recalled.is_complete
