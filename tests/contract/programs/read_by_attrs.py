"""Reads answers by the models of openapi-python-client: a program of a client.

Its argument is a file of answers, ``{"schema": name, "answer": answer}``, in a list. It tells how
many events it knew, and ends badly if an answer cannot be read or if anything of it is lost.
"""

import json
import sys
from pathlib import Path
from typing import Any

from parlour_client import models


def read(name: str, answer: dict[str, Any]) -> list[bool]:
    """Read an answer; of a page, which events are unknown."""
    found = getattr(models, name).from_dict(answer)
    if json.loads(json.dumps(found.to_dict())) != answer:
        raise ValueError(f"{name}: something was lost")
    events = found.events if isinstance(found, models.EventPage) else []
    return [isinstance(line.event, models.UnknownEvent) for line in events]


def main(file: str) -> None:
    """Read all."""
    told = {"known": 0, "unknown": 0}
    for each in json.loads(Path(file).read_text(encoding="utf-8")):
        for is_new in read(each["schema"], each["answer"]):
            told["unknown" if is_new else "known"] += 1
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1])
