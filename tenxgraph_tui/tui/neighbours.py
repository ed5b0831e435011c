"""What the drill-down wants to know beyond a case: what models cost, and what its peers took."""

from __future__ import annotations

from collections.abc import Mapping

from tenxgraph_tui.evaluation.progress import DONE
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult
from tenxgraph_tui.session.labels import set_labels
from tenxgraph_tui.session.models import Price
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.panes.models import models_in
from tenxgraph_tui.tui.panes.peers import Peers


class Neighbours:
    """Looks up each price once, and counts the cases of each set once."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._peers: dict[int, Peers | None] = {}
        self._peers_of = ""
        self._asked: set[str] = set()

    def prices(self, result: EvalCaseResult) -> Mapping[str, Price | None]:
        """The prices of the models that a result names, as far as they were looked up."""
        judges = self._desk.choices.judges
        return {name: judges.model(name).price for name in models_in(result)}

    def to_look_up(self, result: EvalCaseResult) -> list[str]:
        """The models whose prices nobody asked for yet; they count as asked for from now on."""
        names = [name for name in models_in(result) if name not in self._asked]
        self._asked.update(names)
        return self._desk.choices.judges.unpriced(names)

    def look_up(self, models: list[str]) -> None:
        """Find prices. Reads a file: call it in a thread."""
        self._desk.choices.judges.look_up(models)

    def peers(self, key: CaseKey) -> Peers | None:
        """What the cases of a set took, once the run is over that this one is of."""
        state = self._desk.state
        if state.finished_at is None or key not in state.cases:
            return None
        if self._peers_of != state.run_id:
            self._peers_of, self._peers = state.run_id, {}
        if key.set_index not in self._peers:
            taken = (
                case.tokens
                for case in state.cases.values()
                if case.key.set_index == key.set_index and case.status in DONE
            )
            label = set_labels(state.sets)[key.set_index]
            self._peers[key.set_index] = Peers.of(taken, label, state.number)
        return self._peers[key.set_index]
