from __future__ import annotations

from typing import Any

import pytest

from tenxgraph_tui.evaluation.events import CaseInfo, CaseStatus, SetInfo, VerdictPreview
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.evaluation.results import CaseKey, Verdict
from tenxgraph_tui.tui.filtering.conditions import Filter, Scene
from tenxgraph_tui.tui.filtering.language import parse
from tenxgraph_tui.tui.filtering.texts import folded
from tenxgraph_tui.tui.filtering.vocabulary import Vocabulary
from tests.tui.script import CRITERIA, verdict

SLOW = CaseInfo(eval_id="x", tags=("Slow",))
SETS = (
    SetInfo(
        eval_set_id="w",
        file="weather.evalset.json",
        criteria=CRITERIA,
        cases=(CaseInfo(eval_id="tokyo", tags=("smoke", "multi turn")),),
    ),
    SetInfo(eval_set_id="s", file="support.evalset.json", cases=(SLOW,)),
)
VOCABULARY = Vocabulary.of(SETS)


def case(
    eval_id: str, *, set_index: int = 0, tags: tuple[str, ...] = (), turns: int = 1, **fields: Any
) -> CaseProgress:
    info = CaseInfo(eval_id=eval_id, tags=tags, turns=turns)
    scores = fields.pop("scores", ())
    verdicts = {c.name: verdict(c, score) for c, score in zip(CRITERIA, scores, strict=False)}
    return CaseProgress(CaseKey(set_index, eval_id), info, verdicts=verdicts, **fields)


BROKEN_JUDGE = VerdictPreview(criterion="rouge_match", verdict=Verdict.ERROR, threshold=0.5)
CASES = (
    case(
        "tokyo_now",
        status=CaseStatus.PASSED,
        tags=("smoke",),
        scores=(1.0, 1.0, 0.91),
        tokens=412,
        cost=0.0009,
        duration_seconds=1.24,
        response="Sunny in Tōkyō",
    ),
    case(
        "tokyo_then",
        status=CaseStatus.FAILED,
        tags=("smoke", "multi turn"),
        turns=3,
        scores=(1.0, 1 / 3, None),
        tokens=1655,
        cost=0.02,
        duration_seconds=64.0,
        reason="wrong city",
    ),
    case("oslo", status=CaseStatus.ERROR, error="timed out after 10 s", duration_seconds=10.0),
    case("rome", set_index=1, status=CaseStatus.RUNNING, tags=("Slow",)),
    case("kobe", set_index=1, status=CaseStatus.PASSED, known=True, duration_seconds=0.5),
    case("bern", set_index=1, status=CaseStatus.WAITING),
)
CASES[2].verdicts["rouge_match"] = BROKEN_JUDGE
CHANGES = {"tokyo_then": "regressed", "kobe": "fixed", "tokyo_now": "same"}
QUESTIONS = {"bern": "How do I get to the Münsterplatz?"}
SCENE = Scene(
    SETS,
    lambda one: CHANGES.get(one.key.eval_id),
    lambda key: folded(f"{key.eval_id} {QUESTIONS.get(key.eval_id, '')}"),
)


def found_by(wanted: Filter | None) -> list[str]:
    assert wanted is not None
    ask = wanted.on(SCENE)
    return [one.key.eval_id for one in CASES if ask(one)]


def found(text: str) -> str:
    parsed = parse(text, VOCABULARY)
    assert (parsed.problem, parsed.waiting) == ("", "")
    return " ".join(found_by(parsed.filter))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("status:failed", "tokyo_then"),
        ("status:failed,error", "tokyo_then oslo"),
        ("STATUS:Failed", "tokyo_then"),
        ("status:passed", "tokyo_now kobe"),
        ("status:known", "kobe"),
        ("tag:smoke", "tokyo_now tokyo_then"),
        ("tag:SLOW", "rome"),
        ('tag:"multi turn"', "tokyo_then"),
        ("tag:s*", "tokyo_now tokyo_then rome"),
        ("set:support", "rome kobe bern"),
        ("set:w", "tokyo_now tokyo_then oslo"),
        ("set:*port", "rome kobe bern"),
        ("case:tokyo*", "tokyo_now tokyo_then"),
        ("case:*o", "oslo"),
        ("case:oky", "tokyo_now tokyo_then"),
        ("case:oslo,rome", "oslo rome"),
        ("crit:trajectory", "tokyo_then"),
        ("crit:rouge", "oslo"),
        ("crit:traj,rouge", "tokyo_then oslo"),
        ("crit:trajectory<0.8", "tokyo_then"),
        ("crit:traj>=1", "tokyo_now"),
        ("crit:tool_trajectory_avg_score<=.34", "tokyo_then"),
        ("crit:trajectory=0.33", "tokyo_then"),
        ("crit:rouge<0.95", "tokyo_now"),
        ("tokens>1000", "tokyo_then"),
        ("tokens<=1.7k", "tokyo_now tokyo_then oslo rome kobe"),
        ("tokens:>1k", "tokyo_then"),
        ("tokens=412", "tokyo_now"),
        ("cost>0.01", "tokyo_then"),
        ("cost<$0.001", "tokyo_now"),
        ("time>2s", "tokyo_then oslo"),
        ("time<600ms", "kobe"),
        ("time>=1m", "tokyo_then"),
        ("time=1.2s", "tokyo_now"),
        ("time>0", "tokyo_now tokyo_then oslo kobe"),
        ("change:regressed", "tokyo_then"),
        ("change:fixed,same", "tokyo_now kobe"),
        ("error:timeout", "oslo"),
        ('error:"after 10"', "oslo"),
        ("turns>1", "tokyo_then"),
        ("tokyo", "tokyo_now tokyo_then"),
        ("tokyo now", "tokyo_now"),
        ('"wrong city"', "tokyo_then"),
        ("tōkyō", "tokyo_now"),
        ("MÜNSTER", "bern"),
        ("timed", "oslo"),
        ("-status:passed", "tokyo_then oslo rome bern"),
        ("not status:passed set:support", "rome bern"),
        ("-tokyo -status:error", "rome kobe bern"),
        ("not not oslo", "oslo"),
        ("status:failed or status:error", "tokyo_then oslo"),
        ("set:support status:passed or status:waiting", "kobe bern"),
        ("oslo or rome or not set:support and tag:smoke", "tokyo_now tokyo_then"),
        ("status:error and oslo", "oslo"),
    ],
)
def test_a_filter_finds(text: str, names: str) -> None:
    assert found(text) == names


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("statsu:failed", "no filter statsu: did you mean status:?"),
        ("token>4", "no filter token: did you mean tokens?"),
        ("status:fialed", "no status fialed: did you mean status:failed?"),
        ("tag:smokey", "no tag smokey: did you mean tag:smoke?"),
        ("tag:multi_turn", 'no tag multi_turn: did you mean tag:"multi turn"?'),
        ("set:zzz", "no set zzz: write one of weather, w, support, s"),
        (
            "crit:judge<0.5",
            "no criterion judge: write one of tool_name_match, trajectory, rouge_match",
        ),
        ("traj<0.5", "a criterion is asked for with crit: write crit:traj<0.5"),
        ("tokens>many", "many is no number with k, m or nothing behind it: write tokens>1000"),
        ("time>2y", "2y is no number with ms, s, m, h or nothing behind it: write time>2s"),
        ("crit:traj<high", "high is no number: write crit:traj<0.8"),
        ("tokens:5", "tokens:5 compares with nothing: write tokens>1000"),
        ("status>failed", "status is no number: write status:failed"),
        pytest.param(
            "http://x",
            "no filter http: write one of status, tag, set, case, crit, change, error, cause,"
            ' tokens, cost, time, turns, or "http://x" for the text',
        ),
    ],
)
def test_what_cannot_be_understood_says_what_to_write(text: str, problem: str) -> None:
    parsed = parse(f"{text} oslo", VOCABULARY)
    assert parsed.problem == problem
    assert found_by(parsed.filter) == ["oslo"]  # the rest still counts


@pytest.mark.parametrize(
    ("text", "waiting"),
    [
        ("status:", "status: … how it ended, or where it stands"),
        ("status:fa", "status:fa… failed"),
        ("tag:s", "tag:s… smoke, Slow"),
        ("crit:", "crit: … tool_name_match, trajectory, rouge_match"),
        ("crit:traj<", "crit:traj< … a number, like 0.8"),
        ("tokens>", "tokens> … a number, like 1000"),
        ("-", "- … a term to leave out"),
        ("-status:", "status: … how it ended, or where it stands"),
        ("oslo or", "or … another term"),
        ("oslo and not", "and not … another term"),
        ('oslo "', '" … a text'),
    ],
)
def test_an_unfinished_term_is_left_out_and_says_what_it_waits_for(text: str, waiting: str) -> None:
    parsed = parse(text, VOCABULARY)
    assert parsed.waiting == waiting
    assert parsed.problem == ""
    assert (parsed.filter and found_by(parsed.filter)) == (["oslo"] if "oslo" in text else None)


def test_the_values_before_an_unfinished_one_count_already() -> None:
    parsed = parse("status:failed,er", VOCABULARY)
    assert parsed.waiting == "status:er… error"
    assert found_by(parsed.filter) == ["tokyo_then"]
    assert "tokyo_then" not in found_by(parse("-status:failed,er", VOCABULARY).filter)


def test_or_never_joins_across_a_term_that_is_not_finished() -> None:
    parsed = parse("tag:smoke status:faile or status:error", VOCABULARY)
    assert parsed.filter is not None
    assert parsed.filter.text == "tag:smoke status:error"


def test_a_word_that_may_become_a_key_says_so_and_has_a_filter_without_it() -> None:
    parsed = parse("oslo stat", VOCABULARY)
    assert parsed.begun == "status: … how it ended, or where it stands"
    assert parsed.otherwise is not None
    assert found_by(parsed.otherwise) == ["oslo"]
    assert parse("oslo stat ", VOCABULARY).begun == ""


@pytest.mark.parametrize("text", ["", "   "])
def test_nothing_asks_for_nothing(text: str) -> None:
    assert parse(text, VOCABULARY).filter is None


@pytest.mark.parametrize(
    "text",
    ['"[/]\x1b', "tag:\x1b[2J", "crit:[/]<1", "[/link", "-:", ":", "a:b:c", "<", '"', "time>٣"],
)
def test_anything_can_be_typed(text: str) -> None:
    told = parse(text, VOCABULARY)
    assert "\x1b" not in told.problem + told.waiting


def test_a_criterion_that_is_gone_finds_nothing() -> None:
    wanted = parse("crit:traj<0.8", VOCABULARY).filter
    assert wanted is not None
    ask = wanted.on(Scene((SETS[1],), lambda _: None, lambda _: ""))
    assert not any(ask(one) for one in CASES)
