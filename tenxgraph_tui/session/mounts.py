"""Whether a folder lies on a file system that several machines share: SQLite's WAL needs one."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

SHARED = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "glusterfs", "lustre", "virtiofs"}
)
TABLE = Path("/proc/self/mounts")
OCTAL = re.compile(r"\\([0-7]{3})")


def is_shared(folder: Path, table: Path = TABLE) -> bool:
    """Whether `folder` is on a network file system; False where the system has no such table."""
    try:
        lines = table.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    inside = folder.resolve()
    deepest, kind = -1, ""
    for line in lines:
        _, point, found, *_ = [*line.split(" "), "", "", ""]
        mount = PurePosixPath(OCTAL.sub(lambda code: chr(int(code[1], 8)), point))
        if inside.is_relative_to(mount) and len(mount.parts) >= deepest:
            deepest, kind = len(mount.parts), found
    return kind in SHARED or kind.startswith("fuse.")
