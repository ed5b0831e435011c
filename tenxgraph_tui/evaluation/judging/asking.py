"""Making the judge that the options ask for."""

from __future__ import annotations

import os
from collections.abc import Mapping

from tenxgraph_tui.evaluation.judging.context import Bench
from tenxgraph_tui.evaluation.judging.port import JudgeOptions

MODEL = "TENXGRAPH_TUI_JUDGE_MODEL"
BASE_URL = "TENXGRAPH_TUI_JUDGE_BASE_URL"


def options_from(environ: Mapping[str, str] = os.environ) -> JudgeOptions:
    """The options as environment variables set them; one that is blank sets nothing."""
    return JudgeOptions(
        model=environ.get(MODEL, "").strip() or None,
        base_url=environ.get(BASE_URL, "").strip() or None,
    )


def bench_of(options: JudgeOptions) -> Bench:
    """A bench whose judge asks models, as the options say."""
    from tenxgraph_tui.evaluation.judging.models import LiteLLMJudge

    return Bench(LiteLLMJudge(options), model=options.model)
