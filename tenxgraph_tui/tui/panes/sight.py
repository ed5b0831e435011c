"""What can be seen of a case, in short: as long as it is the same, nothing is drawn again."""

from __future__ import annotations

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.tui.panes.model import DetailModel

Sight = tuple[object, ...]


def sight_of(model: DetailModel, run_id: str) -> Sight:
    """Equal for two models that are drawn alike; `run_id` is that of the run on the screen."""
    progress = model.progress
    said = (len(model.log), model.log[-1].seq if model.log else None, id(model.run_log))
    shown = (model.status, model.against, model.run, model.is_read, said, id(model.before))
    around = (model.peers, *model.prices.items())
    seen = (run_id, model.key, id(model.case), id(model.result), around, *shown)
    if progress is None or progress.status is not CaseStatus.RUNNING:
        return (*seen, progress is None)
    doing = (progress.turn, progress.node, progress.step, progress.steps, len(progress.verdicts))
    return (*seen, *doing, int(model.now))
