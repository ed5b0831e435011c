"""What the drill-down knows beyond a case: prices that are looked up once, and the case's peers."""

from __future__ import annotations

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult
from tenxgraph_tui.session.models import Price
from tenxgraph_tui.tui.judges import Judges
from tenxgraph_tui.tui.neighbours import Neighbours
from tenxgraph_tui.tui.panes.peers import Peers
from tenxgraph_tui.tui.results import ResultReader
from tests.tui.script import WEATHER, Script, Stage, catalog, play, screen_text, stage, until
from tests.tui.story import Story

FAILED, SECOND, OTHER = CaseKey(0, WEATHER[0]), CaseKey(0, WEATHER[1]), CaseKey(1, "refund")
PRICE = Price(2.0, 10.0)


class Told(ResultReader):
    """Finds the same result for every case."""

    def __init__(self, result: EvalCaseResult) -> None:
        super().__init__(None)
        self._result = result

    def read(self, run_id: str, key: CaseKey) -> EvalCaseResult:
        return self._result

    def whole(self, run_id: str, key: CaseKey) -> EvalCaseResult:
        return self._result


def answered(model: str = "gpt-4o") -> EvalCaseResult:
    return Story().user("?").model("ok", usage=(1000, 100, 0), model=model).result(passed=False)


def finished() -> Script:
    script = Script().begin(catalog(weather=WEATHER[:3], support=["refund"]))
    script.finish(FAILED, CaseStatus.FAILED, usage=TokenUsage(1000, 100))
    script.finish(SECOND, usage=TokenUsage(400, 100))
    script.finish(OTHER, usage=TokenUsage(9000, 999))
    return script


def on_stage(reader: ResultReader | None = None) -> Stage:
    return stage(catalog(weather=WEATHER[:3], support=["refund"]), reader=reader)


def test_a_price_is_asked_for_once() -> None:
    on = on_stage()
    on.desk.choices.judges = Judges({}, lambda *_: PRICE)
    around = Neighbours(on.desk)
    assert around.to_look_up(answered()) == ["gpt-4o"]
    assert around.to_look_up(answered()) == []
    assert around.prices(answered()) == {"gpt-4o": None}
    around.look_up(["gpt-4o"])
    assert around.prices(answered()) == {"gpt-4o": PRICE}


def test_what_presets_looked_up_is_known_already() -> None:
    on = on_stage()
    on.desk.choices.judges = Judges({}, lambda *_: PRICE)
    on.desk.choices.judges.look_up(["gpt-4o"])
    assert Neighbours(on.desk).to_look_up(answered()) == []


def test_an_answer_without_a_model_has_no_price_to_look_up() -> None:
    assert Neighbours(on_stage().desk).to_look_up(answered("")) == []


async def test_peers_are_those_of_the_set_once_the_run_is_over() -> None:
    on = on_stage()
    async with on.app.run_test(size=(100, 30)) as pilot:
        script = finished()
        await play(pilot, on, script.events)
        around = Neighbours(on.desk)
        assert around.peers(FAILED) is None
        await play(pilot, on, script.end().events[-1:])
        assert around.peers(FAILED) == Peers(800, 2, "weather", 18)
        assert around.peers(OTHER) is None
        assert around.peers(CaseKey(7, "nowhere")) is None


async def test_prices_and_peers_reach_the_screen() -> None:
    asked: list[str] = []

    def price(model: str, provider: str) -> Price | None:
        asked.append(f"{provider}/{model}")
        return PRICE

    on = on_stage(Told(answered()))
    on.desk.choices.judges = Judges({}, price)
    async with on.app.run_test(size=(120, 45)) as pilot:
        await play(pilot, on, finished().end().events)
        await pilot.press("]", "enter", "4")
        await until(pilot, lambda: "$0.0030" in screen_text(on.app))
        shown = screen_text(on.app)
        assert "gpt-4o   longest bar 1,100 tok" in shown
        assert "median of weather, #18" in shown
        await pilot.press("escape", "enter")
    assert asked.count("openai/gpt-4o") == 1
