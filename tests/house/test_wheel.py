"""The wheel holds what the repository holds, and can be built without fetching anything."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

from tests.house import rules, tree


def test_the_wheel_ships_every_file_of_every_package(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=tree.ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("room25-*-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        entry_points = archive.read(
            next(name for name in names if name.endswith("entry_points.txt"))
        ).decode()
    folders = (*rules.PACKAGES, "web")
    assert {name for name in tree.tracked() if name.split("/")[0] in folders} <= names
    assert not {name for name in names if re.match(r"(tests|var|\.venv)/", name)}
    assert "room25-replay = replay.__main__:main" in entry_points
