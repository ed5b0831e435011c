"""Keys stay out of what is told."""

from __future__ import annotations

import pytest

from tenxgraph_tui.evaluation.judging.hiding import hiding

ENVIRON = {
    "OPENAI_API_KEY": "local-token-1",
    "TENXGRAPH_TUI_JUDGE_API_KEY": "local-token-1-longer",
    "SOME_NEW_API_KEY": " spaced-token ",
    "AWS_SECRET_ACCESS_KEY": "aws+secret/value",
    "GROQ_API_KEY": "abc",
    "VERTEXAI_PROJECT": "my-project",
    "HOME": "/home/somebody",
}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("bad key local-token-1!", "bad key ***!"),
        ("local-token-1-longer", "***"),
        ("x spaced-token x", "x *** x"),
        ("aws+secret/value", "***"),
        ("the project my-project in /home/somebody", "the project my-project in /home/somebody"),
        ("the abc of it", "the abc of it"),
        ("Incorrect API key provided: sk-proj-abcdefghijkl.", "Incorrect API key provided: ***"),
        ("AIzaSyA1234567890abcdef", "***"),
        ("Authorization: Bearer whatever-it-is", "Authorization: Bearer ***"),
        ("?api_key=whatever-it-is", "?api_key=***"),
        ("a task-oriented answer", "a task-oriented answer"),
    ],
)
def test_keys_are_hidden_and_nothing_else(text: str, told: str) -> None:
    assert hiding(ENVIRON)(text) == told
