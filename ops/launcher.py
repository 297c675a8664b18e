"""What the wheel installs as ``parlour/__init__.py``: the entry point.

Everything in the wheel lies below ``parlour/``, so that installing it puts no package with as
common a name as ``events`` into anybody's environment. The launcher puts that folder on the path
of its own process and of those that it starts, and of no other.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> int:
    """Run the ``parlour`` command; its exit code."""
    home = str(Path(__file__).parent)
    sys.path.insert(0, home)
    inherited = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = home if not inherited else f"{home}{os.pathsep}{inherited}"
    from ops.program import main as program  # noqa: PLC0415 (found from here on)

    return program()
