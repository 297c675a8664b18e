"""``python -m workers clock`` and ``python -m workers work``: one process each, by the settings.

Both log to standard error and end cleanly at SIGINT and SIGTERM.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence

from events.reach import UnfitStoreError, require_store
from projections.logs import set_up_logs
from projections.settings import Settings, SettingsError, load_settings
from workers.clock import keep_time
from workers.worker import work


def main(arguments: Sequence[str]) -> int:
    """Run until a signal comes; 2 if the settings are wrong, 3 if a store cannot be used."""
    parser = argparse.ArgumentParser(prog="parlour clock|work", description=__doc__)
    parser.add_argument("what", choices=["clock", "work"])
    what = parser.parse_args(arguments).what
    try:
        settings = load_settings(os.environ)
    except SettingsError as error:
        sys.stderr.write(f"parlour: {error}\n")
        return 2
    set_up_logs("clock" if what == "clock" else "worker", settings.log_level)
    try:
        asyncio.run(_require_stores(settings, queue=what == "work"))
    except UnfitStoreError as error:
        sys.stderr.write(f"parlour: {error}\n")
        return 3
    return asyncio.run(keep_time(settings)) if what == "clock" else work(settings)


async def _require_stores(settings: Settings, *, queue: bool) -> None:
    """See that the stores can be used; the clock does without a queue.

    Raises:
        UnfitStoreError: one cannot.
    """
    await require_store(settings.store_url)
    if queue and settings.rq_url != settings.store_url:
        await require_store(settings.rq_url)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
