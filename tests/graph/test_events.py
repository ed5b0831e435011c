from __future__ import annotations

import time

from tenxgraph_tui.graph.events import ContentType, Event, EventModel, EventType


def test_an_event_takes_run_and_thread_from_the_config() -> None:
    event = EventModel.default(
        {"run_id": "r", "thread_id": 7, "user_id": "alice"},
        {"x": 1},
        [ContentType.STATE],
        Event.TOOL_EXECUTION,
        EventType.END,
        "TOOL",
        {"status": "done"},
    )
    assert (event.run_id, event.thread_id, event.user_id) == ("r", 7, "alice")
    assert (event.event, event.event_type, event.content_type) == (
        "tool_execution",
        "end",
        ["state"],
    )
    assert (event.node_name, event.data, event.metadata["status"]) == ("TOOL", {"x": 1}, "done")


def test_every_event_has_the_time_at_which_it_was_made() -> None:
    before = time.time()
    event = EventModel(event=Event.NODE_EXECUTION, event_type=EventType.START)
    assert before <= event.timestamp <= time.time()
    assert event.run_id != EventModel(event=event.event, event_type=event.event_type).run_id
