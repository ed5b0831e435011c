"""What the keys do: those of vitest, and when a run waits to be confirmed, those that answer."""

from __future__ import annotations

from dataclasses import replace

from tenxgraph_tui.cli.watching.course import Course
from tenxgraph_tui.cli.watching.messages import EOF, ESCAPE
from tenxgraph_tui.cli.watching.project import Filters
from tenxgraph_tui.cli.watching.prompt import ENTER, Prompt
from tenxgraph_tui.session.watching.loop import Phase

FILES, CASES = "run cases of files", "run cases called"
EVERYTHING = "all cases"


class Controls:
    """Takes keys, and has the course do what they stand for."""

    def __init__(self, course: Course) -> None:
        self._course, self._view = course, course.view
        self._lists_files = False

    def press(self, key: str) -> bool:
        """Take one key; whether it was the last."""
        if key == EOF:
            return True
        if self._view.foot.prompt is not None:
            self._type(self._view.foot.prompt, key)
            return False
        if self._lists_files:
            self._lists_files = False
            self._view.show_again()
            if key in {"v", ESCAPE}:
                return False
        if key == "q":
            return True
        if self._course.phase is not Phase.ARMED or not self._answer(key):
            self._command(key)
        return False

    def _command(self, key: str) -> None:
        course, foot = self._course, self._view.foot
        match key:
            case "a":
                course.filters = Filters()
                course.want(None, EVERYTHING)
            case "f":
                course.want_failed()
            case "\n" | "\r":
                course.want_again()
            case "p":
                foot.prompt = Prompt(FILES, course.filters.files)
            case "t":
                foot.prompt = Prompt(CASES, course.filters.cases)
            case "v":
                self._lists_files = True
                self._view.show_list(course.following.list)
            case "x":
                course.runs.cancel()
            case _:
                pass

    def _answer(self, key: str) -> bool:
        """Answer what is asked, if it is an answer."""
        course = self._course
        if key in ENTER:
            course.confirm()
        elif key == "!":
            course.above = None
            course.confirm()
        elif key == "f":
            course.confirm(not_passed_only=True)
        elif key == ESCAPE:
            course.decline()
        else:
            return False
        return True

    def _type(self, prompt: Prompt, key: str) -> None:
        prompt.press(key)
        if not (prompt.is_done or prompt.is_left):
            return
        self._view.foot.prompt = None
        if prompt.is_left:
            return
        course = self._course
        what = "files" if prompt.question == FILES else "cases"
        course.filters = replace(course.filters, **{what: prompt.text.strip()})
        course.want(None, course.filters.text or EVERYTHING)
