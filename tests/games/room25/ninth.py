"""A ninth character and one card more, played in a copy of the tree that has them.

``test_a_new_character`` makes the copy, and runs this there; what is found goes out as JSON.
"""

from __future__ import annotations

from typing import Any

import msgspec

from events.draw import Draw
from events.kernel import Actor, Context, Seat, Working
from games.contract import TableOpening
from games.room25 import ROOM25
from games.room25.facts.edition_events import SpecialUsed
from games.room25.facts.events import ProgramSubmitted
from games.room25.model.cards import deck_of
from games.room25.model.state import State
from games.room25.rules.moves import is_open
from tests.games.begun import begun
from tests.games.playing import Game

NINTH = "nina"
CARD = "Z20"


def laid(options: dict[str, Any], deck: tuple[str, ...] = ()) -> State:
    """The ninth character acts first, with Bruce on its tile, Alice and Kevin beside it."""
    characters: dict[str, Any] = {
        NINTH: {"seat": 1, "cell": "r1c1", "adrenaline": "spent"},
        "bruce": {"seat": 2, "cell": "r1c1"},
        "kevin": {"seat": 3, "cell": "r1c0"},
        "alice": {"seat": 4, "cell": "r1c2"},
    }
    for character in characters.values():
        character["program"] = ["special", "look"]
    situation = {
        "characters": characters,
        "tiles": {"r0c1": {"kind": "cold", "lock": True}},
        "order": list(characters),
        "phase": "round_1",
        **({"deck": deck} if deck else {}),
    }
    asked = TableOpening(
        rulebook="ultimate", mode="cooperation", seats=4, options=options, situation=situation
    )
    asked = ROOM25.open(asked)
    cast = {seat: ROOM25.cast(asked, {}, seat, ()) for seat in range(1, 5)}
    return begun(asked, "seed", cast)[0]


def offered(state: State, seat: Seat) -> list[str]:
    """The options of the question that blocks the game."""
    return [o.id for d in ROOM25.decisions(state, seat) if not d.optional for o in d.options]


def answered(state: State, seat: Seat, option: str) -> State:
    """The state after an answer to that question."""
    decision = next(d for d in ROOM25.decisions(state, seat) if not d.optional)
    context = Context(now=0, actor=Actor("player", "p"), draw=Draw(b"seed"))
    work = Working(ROOM25.evolve, ROOM25.copy(state), context, before=state)
    ROOM25.choose(work, decision, option)
    return work.state


def abilities() -> dict[str, Any]:
    """What the ninth is offered, what its abilities do, and who imitates them."""
    asked = laid({"specials": True})
    back, brought = (answered(asked, 1, option) for option in ("vitality", "summon:kevin"))
    doors = {name: is_open(asked, "r0c1", asked.characters[name]) for name in (NINTH, "kevin")}
    return {
        "offered": offered(asked, 1),
        "adrenaline": [s.characters[NINTH].adrenaline for s in (asked, back)],
        "kevin": [s.characters["kevin"].cell for s in (asked, brought)],
        "imitated": offered(brought, 2),
        "may enter a locked room": doors,
    }


def cards() -> dict[str, Any]:
    """The new card is in the deck, and what it does is done."""
    drawn = laid({"madness": True}, deck=(CARD,))
    madness = deck_of({"madness": True})
    return {"deck": len(madness), "rewound": [drawn.discard, drawn.characters[NINTH].cell]}


def whole_game(number: int, *, madness: bool) -> dict[str, Any]:
    """Seated by wish, it programmes and plays to the end as house bots do."""
    options = {"madness": madness, "specials": True}
    bots = ["steady", "random", "steady", "random"]
    game = Game("cooperation", bots, number, "ultimate", options=options, first=(NINTH,))
    seat = game.state.seats[1].characters
    log = game.run().log
    handed_in = [e for e in log if isinstance(e, ProgramSubmitted) and e.character == NINTH]
    used = [e.option for e in log if isinstance(e, SpecialUsed) and e.character == NINTH]
    return {"seat": seat, "phase": game.state.phase, "programmes": len(handed_in), "used": used}


if __name__ == "__main__":
    games = [whole_game(number, madness=number % 2 == 1) for number in range(4)]
    found = {"abilities": abilities(), "cards": cards(), "games": games}
    print(msgspec.json.encode(found).decode())  # noqa: T201 (its answer)
