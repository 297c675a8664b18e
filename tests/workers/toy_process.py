"""``python -m workers``, but with the toy game."""

from __future__ import annotations

import asyncio
import os
import sys

from runtime.logs import set_up_logs
from runtime.settings import load_settings
from tests.runtime.stage import TOY_REGISTRY
from workers.clock import keep_time
from workers.worker import work

if __name__ == "__main__":
    settings = load_settings(os.environ)
    set_up_logs(sys.argv[1], settings.log_level)
    if sys.argv[1] == "clock":
        sys.exit(asyncio.run(keep_time(settings, TOY_REGISTRY)))
    sys.exit(work(settings, TOY_REGISTRY))
