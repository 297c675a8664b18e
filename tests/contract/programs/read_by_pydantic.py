"""Reads answers by the models of datamodel-code-generator: a program of a client.

Its argument is a file of answers, ``{"schema": name, "answer": answer}``, in a list. It tells how
many events it knew, and ends badly if an answer cannot be read or if anything of it is lost but the
fields called ``comet``, which came after the models: these are passed over.
"""

import json
import sys
from pathlib import Path
from typing import Any

import parlour_models as models
from pydantic import BaseModel

LATER = "comet"


def without_news(value: Any) -> Any:
    """A value without the fields that came later."""
    if isinstance(value, list):
        return [without_news(each) for each in value]
    if isinstance(value, dict):
        return {name: without_news(each) for name, each in value.items() if name != LATER}
    return value


def read(name: str, answer: dict[str, Any]) -> list[bool]:
    """Read an answer; of a page, which events are unknown."""
    kind: type[BaseModel] = getattr(models, name)
    found = kind.model_validate(answer)
    kept = found.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if without_news(kept) != without_news(answer):
        raise ValueError(f"{name}: something was lost")
    events = found.events if isinstance(found, models.EventPage) else []
    return [isinstance(line.event.root, models.UnknownEvent) for line in events]


def main(file: str) -> None:
    """Read all."""
    told = {"known": 0, "unknown": 0}
    for each in json.loads(Path(file).read_text(encoding="utf-8")):
        for is_new in read(each["schema"], each["answer"]):
            told["unknown" if is_new else "known"] += 1
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1])
