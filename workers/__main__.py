"""``python -m workers clock``, ``… work`` and ``… ship``: one process each.

All are configured by the settings, log to standard error and end cleanly on SIGINT and SIGTERM.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from typing import Final

from events.identity import ForeignStoreError, StoreMismatchError
from events.reach import UnfitStoreError, require_store, unanswered
from events.scripts import LogUnavailable
from runtime.journal.segments import JournalError
from runtime.logs import set_up_logs
from runtime.mark_files import MarksError
from runtime.settings import Settings, SettingsError, load_settings
from runtime.store_watch import require_own_store
from workers.clock import keep_time
from workers.shipper import NoJournalError, ship
from workers.worker import work

_NAMES: Final = {"clock": "clock", "work": "worker", "ship": "shipper"}
"""What each is called in the log."""


def main(arguments: Sequence[str]) -> int:
    """Run until a signal comes.

    The exit code is 2 if the settings are invalid or do not match the store, and 3 if a store or
    the marks folder cannot be used.
    """
    parser = argparse.ArgumentParser(prog="parlour clock|work|ship", description=__doc__)
    parser.add_argument("what", choices=list(_NAMES))
    what = parser.parse_args(arguments).what
    try:
        settings = load_settings(os.environ)
    except SettingsError as error:
        sys.stderr.write(f"parlour: {error}\n")
        return 2
    set_up_logs(_NAMES[what], settings.log_level)
    try:
        asyncio.run(_require_stores(settings, what))
        if what == "work":
            return work(settings)
        return asyncio.run(keep_time(settings) if what == "clock" else ship(settings))
    except (NoJournalError, StoreMismatchError) as error:
        sys.stderr.write(f"parlour: {error}\n")
        return 2
    except (UnfitStoreError, ForeignStoreError, JournalError, MarksError) as error:
        sys.stderr.write(f"parlour: {error}\n")
        return 3


async def _require_stores(settings: Settings, what: str) -> None:
    """Check that the stores are usable; the clock can run without a queue.

    Raises:
        UnfitStoreError, ForeignStoreError: one is not.
        StoreMismatchError: the settings do not match the store.
    """
    await require_store(settings.store_url, settings.layout().meta(0))
    try:
        await require_own_store(settings, "clock" if what == "clock" else "worker")
    except LogUnavailable as error:
        raise unanswered(settings.store_url, error) from error
    if what == "work" and settings.rq_url != settings.store_url:
        await require_store(settings.rq_url)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
