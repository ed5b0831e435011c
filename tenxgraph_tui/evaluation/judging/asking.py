"""Making the judge that the options ask for."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.evaluation.judging.address import check
from tenxgraph_tui.evaluation.judging.answers import Answers, KeptAnswers
from tenxgraph_tui.evaluation.judging.context import Bench
from tenxgraph_tui.evaluation.judging.port import JudgeOptions

MODEL = "TENXGRAPH_TUI_JUDGE_MODEL"
BASE_URL = "TENXGRAPH_TUI_JUDGE_BASE_URL"
PROMPTS_DIR = "TENXGRAPH_TUI_PROMPTS_DIR"


def options_from(environ: Mapping[str, str] = os.environ) -> JudgeOptions:
    """The options as environment variables set them; one that is blank sets nothing."""
    return JudgeOptions(
        model=environ.get(MODEL, "").strip() or None,
        base_url=environ.get(BASE_URL, "").strip() or None,
        prompts_dir=environ.get(PROMPTS_DIR, "").strip() or None,
    )


def bench_of(options: JudgeOptions, kept: KeptAnswers | None = None) -> Bench:
    """A bench whose judge asks models, as the options say, unless their answer is `kept`."""
    from tenxgraph_tui.evaluation.judging.models import LiteLLMJudge
    from tenxgraph_tui.evaluation.judging.script_file import ModelsAndScripts

    judge = ModelsAndScripts(LiteLLMJudge(options))
    answers = Answers(kept, options) if kept is not None else None
    prompts = Path(options.prompts_dir).absolute() if options.prompts_dir else None
    return Bench(
        judge,
        model=options.model,
        prompts_dir=str(prompts) if prompts else None,
        answers=answers,
        problem=lambda model: _problem(model, options.base_url),
    )


def _problem(model: str, base_url: str | None) -> str:
    """Why a model cannot be asked, or a script not be read; "" if it can."""
    try:
        check([model], base_url, os.environ)
    except ConfigError as error:
        return str(error)
    return ""
