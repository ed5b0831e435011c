"""From a reply to a verdict: what says that there is none comes before what it looks like."""

from __future__ import annotations

from typing import Any

from tenxgraph_tui.errors import JudgeError, JudgeFailure
from tenxgraph_tui.evaluation.judging.finding import verdict_in
from tenxgraph_tui.evaluation.judging.port import JudgeReply

CUT = {"length", "max_tokens"}
FILTERED = {"content_filter", "refusal", "safety"}


def verdict_of(reply: JudgeReply, marker: str) -> dict[str, Any]:
    """The verdict in a reply: the last object in it that carries `marker`.

    Raises:
        JudgeError: it was refused, filtered, cut off, is empty, or holds no such object; the
            message has the `finish_reason` where that is the cause.
    """
    reason, text = reply.finish_reason, reply.text or ""
    ended = f"(finish_reason {reason})"
    if reply.refusal:
        raise JudgeError(
            f"the judge refused: {reply.refusal[:120]!r} {ended}", JudgeFailure.REFUSED
        )
    if reason.lower() in FILTERED:
        raise JudgeError(f"the judge's answer was filtered {ended}", JudgeFailure.FILTERED)
    if reason.lower() in CUT:
        raise JudgeError(f"the judge's answer was cut off {ended}", JudgeFailure.TRUNCATED)
    if not text.strip():
        raise JudgeError(f"the judge answered nothing {ended}", JudgeFailure.EMPTY)
    return verdict_in(text, marker)
