"""A file has changed when its bytes have; what cannot be read is not there."""

from __future__ import annotations

import os
from pathlib import Path

from tenxgraph_tui.session.watching.fingerprints import Fingerprints, fingerprint


def test_bytes_decide_and_not_times(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("x")
    before = fingerprint(path)
    os.utime(path, (1.0, 1.0))
    assert fingerprint(path) == before
    path.write_text("y")
    assert fingerprint(path) != before


def test_what_is_no_file_that_ends_is_not_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert [fingerprint(one) for one in (pipe, tmp_path, tmp_path / "no")] == [None, None, None]


def test_a_link_is_what_it_leads_to_and_else_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    link, broken, loop = tmp_path / "link", tmp_path / "broken", tmp_path / "loop"
    link.symlink_to("a")
    broken.symlink_to("nowhere")
    loop.symlink_to("loop")
    assert fingerprint(link) == fingerprint(tmp_path / "a")
    assert None not in (fingerprint(broken), fingerprint(loop))


def test_a_change_is_told_once(tmp_path: Path) -> None:
    path = tmp_path / "a"
    known = Fingerprints()
    path.write_text("x")
    known.look_at([path])
    assert known.changed([path]) == set()
    path.write_text("y")
    known.look_at([path])  # it was looked at before: that is what counts
    assert known.suspicious([path]) == {path}
    assert known.changed([path]) == {path}
    assert known.changed([path]) == set()
    path.unlink()
    assert known.changed([path]) == {path}


def test_a_touch_is_suspicious_and_no_change(tmp_path: Path) -> None:
    path, new = tmp_path / "a", tmp_path / "new"
    path.write_text("x")
    known = Fingerprints()
    known.look_at([path])
    assert known.suspicious([path, new]) == {new}
    os.utime(path, (1.0, 1.0))
    assert known.suspicious([path]) == {path}
    assert known.changed([path]) == set()
    assert known.suspicious([path]) == set()


def test_a_folder_knows_the_files_in_it(tmp_path: Path) -> None:
    known = Fingerprints()
    inside, outside = tmp_path / "lib" / "deep" / "a", tmp_path / "library"
    known.look_at([inside, outside])
    assert known.below(tmp_path / "lib") == {inside}
    assert inside in known
