"""What a worker does before it knows what it will be asked: everything a run needs is loaded.

No code of a project is among it, and the project is not on the import path yet, so that no module
of a project takes the place of one of ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from io import BytesIO

from tenxgraph_tui.cli.unkept import Unkept
from tenxgraph_tui.evaluation.builder import EvalSetBuilder
from tenxgraph_tui.evaluation.dataset import EvalSet
from tenxgraph_tui.evaluation.judging.library import import_all
from tenxgraph_tui.evaluation.objects import ObjectSource
from tenxgraph_tui.evaluation.plan import RunOptions, SetPlan
from tenxgraph_tui.evaluation.presets import EvalPresets
from tenxgraph_tui.evaluation.runner import Run
from tenxgraph_tui.evaluation.stream import EventStream, JsonlSink
from tenxgraph_tui.session.protocol import Need, SetRequest, WorkerRequest, parse_request

LOADERS: dict[Need, Callable[[], None]] = {"judge": import_all}
"""What is loaded for a need, beside what the rehearsal loads."""


def be_ready(needs: Iterable[Need] = ()) -> None:
    """Load what any run needs, and what runs with these needs do.

    It takes about half a second; with a judge, that is with LiteLLM, some seconds more.
    """
    rehearse()
    for need in needs:
        LOADERS[need]()


def rehearse() -> None:
    """Run one case of nobody's: whatever is only imported or built on first use, is then.

    What it tells goes nowhere, and nothing of it is kept.
    """
    parse_request(WorkerRequest(root="", sets=(SetRequest(path=""),)).line())
    written = EvalSetBuilder.quick(("a question", "an answer")).model_dump_json()
    plan = SetPlan(
        EvalSet.model_validate_json(written),
        ObjectSource(lambda messages: f"an answer to {len(messages)}"),
        EvalPresets.combine(EvalPresets.tool_usage(), EvalPresets.quick_check()),
    )
    stream = EventStream(JsonlSink(BytesIO()), run_id="rehearsal")
    Run([plan], RunOptions(run_id="rehearsal"), stream, Unkept()).execute()
