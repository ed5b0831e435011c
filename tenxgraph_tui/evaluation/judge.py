"""The judge port and who answers it, by their public names."""

from tenxgraph_tui.errors import JudgeError, JudgeFailure
from tenxgraph_tui.evaluation.judging.context import Bench, judged_by
from tenxgraph_tui.evaluation.judging.models import LiteLLMJudge
from tenxgraph_tui.evaluation.judging.port import Judge, JudgeOptions, JudgeReply, JudgeRequest
from tenxgraph_tui.evaluation.judging.scripted import ScriptedJudge

__all__ = [
    "Bench",
    "Judge",
    "JudgeError",
    "JudgeFailure",
    "JudgeOptions",
    "JudgeReply",
    "JudgeRequest",
    "LiteLLMJudge",
    "ScriptedJudge",
    "judged_by",
]
