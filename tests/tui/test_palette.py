from __future__ import annotations

from tenxgraph_tui.tui.commands import Command
from tenxgraph_tui.tui.palette import AT_MOST, Palette, Shelf


def command(text: str) -> Command:
    return Command(text, "run", "r", lambda: text)


def test_without_a_query_all_commands_are_there_in_their_order() -> None:
    palette = Palette([command("Run"), command("Cancel the run")], [Shelf("case", ["a"], int)])
    assert [hit.command.text for hit in palette.find(" ")] == ["Run", "Cancel the run"]


def test_closer_matches_come_first_and_of_equal_ones_the_command() -> None:
    shelf = Shelf("case", ["weather/overrun", "weather/rerun_now"], int)
    palette = Palette([command("Cancel the run"), command("Rerun")], [shelf])
    found = [hit.command.text for hit in palette.find("run")]
    assert found == ["Cancel the run", "Rerun", "weather/overrun", "weather/rerun_now"]
    found = [hit.command.text for hit in palette.find("rerun")]
    assert found == ["Rerun", "weather/rerun_now"]


def test_choosing_a_name_says_which_one_it_was() -> None:
    chosen: list[int] = []
    palette = Palette([], [Shelf("case", ["a", "b", "b"], chosen.append)])
    hits = palette.find("b")
    assert [hit.command.area for hit in hits] == ["case", "case"]
    hits[1].command.run()
    assert chosen == [2]


def test_names_may_become_known_later() -> None:
    palette = Palette([])
    assert palette.find("18") == []
    palette.add(Shelf("run", ["#18"], int))
    assert [hit.command.text for hit in palette.find("18")] == ["#18"]


def test_of_ten_thousand_names_the_first_fifty_are_shown() -> None:
    palette = Palette([], [Shelf("case", [f"case_{n}" for n in range(10_000)], int)])
    hits = palette.find("case")
    assert len(hits) == AT_MOST
    assert hits[0].command.text == "case_0"
    assert [hit.command.text for hit in palette.find("9999")] == ["case_9999"]


def test_names_from_files_are_shown_as_they_are_safe_to_draw() -> None:
    hit = Palette([], [Shelf("case", ["a\x1b[2J\n[/]"], int)]).find("2j")[0]
    assert hit.command.text == r"a\x1b[2J\n[/]"
    assert [hit.command.text[start:end] for start, end in hit.spans] == ["2J"]
