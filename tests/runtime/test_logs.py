"""Logs: JSON, one object a line, and no local variable ever."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = """
import logging
import threading
import structlog
from runtime.logs import set_up_logs

set_up_logs("test", "info")
log = structlog.get_logger("ours")

def fail():
    token = "the-secret-" + "token"
    raise ValueError("planted")

log.info("said", number=1, odd={1, 2}, raw=b"x")
log.debug("not said")
logging.getLogger("theirs").warning("careful: %s", "hot")
logging.getLogger("theirs").info("not said")
logging.getLogger("rq.worker").info("not said")
try:
    fail()
except ValueError:
    log.exception("failed")
    logging.getLogger("theirs").exception("failed too")
ended = threading.Thread(target=fail, name="a library's")
ended.start()
ended.join()
"""


def test_every_line_is_json_and_tells_no_local_variable() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        capture_output=True,
        cwd=Path(__file__).parents[2],
        check=True,
        text=True,
    )
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    events = ["said", "careful: hot", "failed", "failed too", "thread_ended"]
    assert [line["event"] for line in lines] == events
    assert {line["process"] for line in lines} == {"test"}
    assert all(line["timestamp"].endswith("Z") for line in lines)
    assert lines[2]["exception"][0]["exc_type"] == "ValueError"
    assert lines[3]["exception"][0]["frames"][0]["name"] == "<module>"
    assert lines[4]["thread"] == "a library's"
    assert lines[4]["exception"][0]["exc_type"] == "ValueError"
    assert "the-secret" not in done.stderr
    assert done.stdout == ""
