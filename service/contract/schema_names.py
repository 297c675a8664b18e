"""The names under which types are published (pure).

A schema's name becomes a class in a client's language, beside the classes of that language and of
every other game. So what belongs to a game carries the game's name, and everything else the name of
its subject; and no type is named like one of its own members, which some languages cannot tell
apart.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from msgspec import inspect

_SUBJECTS: Final[Mapping[str, str]] = {
    "Alive": "HealthLive",
    "Choose": "ChooseOption",
    "Clock": "TableClock",
    "Decisions": "DecisionList",
    "Delay": "SpectatorDelay",
    "Entropy": "PlayerEntropy",
    "Flaw": "ProblemFlaw",
    "Happened": "ReceiptEvent",
    "Header": "RecordHeader",
    "Links": "GameLinks",
    "Notice": "GameNotice",
    "Opened": "OpenedField",
    "Opening": "RecordOpening",
    "Option": "DecisionOption",
    "Options": "OptionList",
    "Ready": "HealthReady",
    "Result": "GameResult",
    "Row": "GameRow",
    "RowSeat": "GameRowSeat",
    "Rulebooks": "RulebookList",
    "Seal": "RecordSeal",
    "Standing": "GameStanding",
    "TimeOut": "TimeOutTable",
    "Tokens": "TokenList",
    "Writable": "HealthWritable",
}
"""Types with a short name in our modules, published under the name of their subject."""

_OF_A_GAME: Final = re.compile(r"games\.(?!table\.)([a-z0-9]+)\.")


def published_name(kind: type) -> str:
    """The name of a type's schema."""
    game = _OF_A_GAME.match(kind.__module__)
    if game is not None:
        return game[1].capitalize() + kind.__name__
    return _SUBJECTS.get(kind.__name__, kind.__name__)


def structs(types: Iterable[Any]) -> list[type]:
    """Every struct that types consist of, each once."""
    found: dict[type, None] = {}
    waiting = list(inspect.multi_type_info(types))
    while waiting:
        match waiting.pop():
            case inspect.StructType(cls=kind, fields=fields):
                if kind not in found:
                    found[kind] = None
                    waiting += [field.type for field in fields]
            case inspect.Metadata(type=inner):
                waiting.append(inner)
            case inspect.CollectionType(item_type=inner):
                waiting.append(inner)
            case inspect.TupleType(item_types=several) | inspect.UnionType(types=several):
                waiting += several
            case inspect.DictType(key_type=key, value_type=value):
                waiting += [key, value]
            case _:
                pass
    return list(found)


def written_names(kinds: Iterable[type]) -> dict[str, type]:
    """Structs by the names that msgspec gives them: the full path where two share one."""
    several = list(kinds)
    counts = Counter(kind.__name__ for kind in several)
    return {
        kind.__name__
        if counts[kind.__name__] == 1
        else re.sub(r"[^a-zA-Z0-9._-]", "_", f"{kind.__module__}.{kind.__qualname__}"): kind
        for kind in several
    }
