"""Which files are watched, and what follows when one of them was saved."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from tenxgraph_tui.cli.watching.messages import Changed, Message, Noted
from tenxgraph_tui.cli.watching.project import Project, Reading, configs_of, settings_files
from tenxgraph_tui.evaluation.events import Files
from tenxgraph_tui.evaluation.numbers import plural
from tenxgraph_tui.evaluation.paths import real
from tenxgraph_tui.session.watching.decision import Decision, decide
from tenxgraph_tui.session.watching.followed import Followed, Role
from tenxgraph_tui.session.watching.ignoring import Ignoring
from tenxgraph_tui.session.watching.watcher import Watcher

NAMED = 3
STOP_PATIENCE = 0.3


class Following:
    """`reading` is what the files say, `followed` which of them matter.

    `outputs` are files and folders that we write to ourselves.
    """

    def __init__(
        self,
        project: Project,
        reading: Reading,
        post: Callable[[Message], None],
        outputs: Iterable[Path],
    ) -> None:
        self._project = project
        self.reading = reading
        root = real(reading.discovery.root)
        self.followed = Followed(root)
        self._bring_in(reading)
        self._watcher = Watcher(
            self.followed,
            lambda paths: post(Changed(paths)),
            lambda text: post(Noted(text)),
            ignoring=Ignoring(root, outputs),
        )

    def begin(self, since: float) -> None:
        """Watch from now on; what was written after `since` (Unix seconds) counts as changed."""
        self._watcher.start(since=since)

    def end(self) -> None:
        """Watch nothing any more."""
        self._watcher.stop(STOP_PATIENCE)

    def changed(self, paths: frozenset[Path]) -> Decision:
        """Read again what those files say, as far as it concerns us, and what follows."""
        before = self.reading
        after = self._project.read_again(before) if self._must_read(paths) else before
        decision = decide(before.contents, after.contents, paths, self.followed)
        self.reading = after.with_contents(after.contents.over(before.contents))
        self._bring_in(self.reading)
        self._watcher.follow(self.followed)
        return decision

    def used(self, event: Files, since: float) -> None:
        """A run told what it read and wrote; `since` (Unix seconds) is when it was asked for."""
        self._follow(self.followed.with_used(event.paths, event.written), since)

    def ran(self, *, is_complete: bool) -> None:
        """A run is over; `is_complete` if it told all that any run would use."""
        self._follow(self.followed.completed(is_complete=is_complete))

    @property
    def watched(self) -> str:
        """What is watched, in a line."""
        files = self._there
        names = [self.followed.shown(path) for path in files]
        shown = ", ".join(names[:NAMED]) + (", …" if len(names) > NAMED else "")
        rest = "" if self.followed.is_complete else ", and every .py file"
        return f"watching {plural(len(files), 'file')}{rest}: {shown}"

    @property
    def list(self) -> list[str]:
        """Every file that is watched, with what it is to a run."""
        files = self._there
        width = max((len(role) for role in files.values()), default=0)
        lines = [
            f"{role.ljust(width)}  {self.followed.shown(path)}" for path, role in files.items()
        ]
        if not self.followed.is_complete:
            lines.append(f"{Role.CODE.ljust(width)}  every .py file below {self.followed.root}")
        return lines

    @property
    def _there(self) -> dict[Path, Role]:
        """Those that exist, eval sets first; settings, say, may be written later."""
        order = (Role.EVAL_SET, Role.CODE, Role.DATA, Role.CONFIG, Role.SETTINGS)
        there = [each for each in self.followed.files.items() if os.path.lexists(each[0])]
        return dict(sorted(there, key=lambda each: (order.index(each[1]), each[0])))

    def _must_read(self, paths: frozenset[Path]) -> bool:
        """Whether eval sets, configs or settings may say something else; code is read by runs."""
        if self.reading.contents.problem:
            return True
        ours = {Role.CODE, Role.DATA}
        return any(self.followed.files.get(path) not in ours for path in paths) or any(
            path.suffix == ".json" for path in paths
        )

    def _bring_in(self, reading: Reading) -> None:
        configs, settings = configs_of(reading), settings_files(reading)
        self.followed = self.followed.with_sets(reading.contents, configs, settings)

    def _follow(self, followed: Followed, since: float | None = None) -> None:
        if followed != self.followed:
            self.followed = followed
            self._watcher.follow(followed, since=since)
