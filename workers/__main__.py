"""``python -m workers clock`` and ``python -m workers work``: one process each, by the settings.

Both log to standard error and end cleanly at SIGINT and SIGTERM.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence

from projections.logs import set_up_logs
from projections.settings import SettingsError, load_settings
from workers.clock import keep_time
from workers.worker import work


def main(arguments: Sequence[str]) -> int:
    """Run until a signal comes; 2 if the settings are wrong."""
    parser = argparse.ArgumentParser(prog="python -m workers", description=__doc__)
    parser.add_argument("what", choices=["clock", "work"])
    what = parser.parse_args(arguments).what
    try:
        settings = load_settings(os.environ)
    except SettingsError as error:
        sys.stderr.write(f"room25: {error}\n")
        return 2
    set_up_logs("clock" if what == "clock" else "worker", settings.log_level)
    return asyncio.run(keep_time(settings)) if what == "clock" else work(settings)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
