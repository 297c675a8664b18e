"""One decision in the middle of a turn, and what the others may still do in it (pure)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from events.kernel import Seat
from games.room25.bots.evaluation import Worth
from games.room25.bots.memory import Memory
from games.room25.bots.observation import snapshot
from games.room25.bots.plans import NOTHING, improve
from games.room25.bots.turn import ANY, Slots, Tokens, Turn
from games.room25.model.agenda import Adrenaline, Round
from games.room25.model.catalogue import is_guard
from games.room25.model.state import Character, State

INSIDE: Final = ("control", "look", "move")
OUTSIDE: Final = ("move", "control", "look")
"""Which token a piece is thought to have left, the likeliest first."""

PAIRS_INSIDE: Final[tuple[Tokens, ...]] = (
    ("control", "look"),
    ("look", "control"),
    ("control", "move"),
)
PAIRS_OUTSIDE: Final[tuple[Tokens, ...]] = (
    ("look", "move"),
    ("move", "look"),
    ("move", "control"),
    ("control", "move"),
    ("look", "control"),
)
SINGLES_INSIDE: Final[tuple[Tokens, ...]] = (
    (None, "control"),
    ("control", None),
    ("look", None),
    ("move", None),
)
SINGLES_OUTSIDE: Final[tuple[Tokens, ...]] = (("move", None), ("control", None), ("look", None))


def works_against(state: State, seat: Seat, memory: Memory) -> bool:
    """Whether a seat hinders the crew: a guard, once everybody may know where Room 25 is.

    Before, it plays as if it were a prisoner, because that is how one is trusted.
    """
    if not any(is_guard(c.role) for c in state.of_seat(seat)):
        return False
    return memory.sight(snapshot(state, seat, private=False)).goal is not None


class Mind:
    """The position as the seat sees it, the piece that chooses, and the slots still to come."""

    def __init__(self, state: State, seat: Seat, name: str, memory: Memory, *, foe: bool) -> None:
        self.state = state
        seen = snapshot(state, seat, private=True)
        self.names = [piece.name for piece in seen.pieces]
        self.me = self.names.index(name)
        self.foe = self.me if foe else None
        if foe:
            seen = replace(seen, crew=tuple(i for i in seen.crew if i != self.me))
        self.sight = memory.sight(seen)
        self.worth = Worth(self.sight)
        self.round = state.round - 1
        self.slots = self._slots()

    @property
    def sign(self) -> float:
        """1 for one who wants the crew out; -1 for one who does not."""
        return 1.0 if self.foe is None else -1.0

    @property
    def here(self) -> int:
        """Where the piece stands."""
        return self.sight.places[self.me]

    def turn(self) -> Turn:
        """The rest of the turn, to be played in thought."""
        return Turn(self.worth, self.state.markers, self.foe)

    def _players(self, names: Sequence[str]) -> list[int]:
        """The pieces whose actions are foreseen; rivals are taken to stand still."""
        indices = [self.names.index(n) for n in names if n in self.names]
        return [i for i in indices if i in self.sight.seen.crew or i == self.me]

    def _slots(self) -> Slots:
        rounds = [frame for frame in self.state.agenda if isinstance(frame, Round)]
        queue = rounds[0].queue if rounds else ()
        slots = [(i, self.round) for i in self._players(queue)]
        if self.round == 0:
            slots += [(i, 1) for i in self._players(self.state.order)]
        third = [frame for frame in self.state.agenda if isinstance(frame, Adrenaline)]
        waiting = third[0].queue if third else self.state.order
        return slots + [(i, 2) for i in self._players(waiting) if self._is_boosted(i)]

    def _is_boosted(self, index: int) -> bool:
        return self._character(index).adrenaline == "programmed"

    def _character(self, index: int) -> Character:
        return self.state.characters[self.names[index]]

    def next_token(self) -> str | None:
        """What the piece has programmed for round 2, in round 1."""
        tokens = self._character(self.me).programmed
        return tokens[1] or None if self.round == 0 and len(tokens) > 1 else None

    def then(self, token: str | None) -> Tokens:
        """Nothing more in this round, ``token`` in the next, and adrenaline if it is to come."""
        third = (ANY,) if any(slot == (self.me, 2) for slot in self.slots) else ()
        return (None, token, *third)

    # --- what the others may do ---

    def expected(self, mine: Tokens, now: str | None = None) -> list[Tokens]:
        """What everybody will do in the slots to come; ``now`` is what the piece does before."""
        choices = [(mine,) if i == self.me else self.possible(i) for i in range(len(self.names))]
        hasty = mine[1] not in {None, "move"}

        def judge(tokens: list[Tokens]) -> float:
            turn = self.turn()
            if now:
                turn.act(self.me, now, hasty=hasty)
            return turn.outcome(tokens, self.slots)

        return improve([options[0] for options in choices], choices, judge, rounds=1)

    def possible(self, index: int) -> Sequence[Tokens]:
        """What a piece may still do this turn, by what the seat knows of its programme."""
        coming = {number for piece, number in self.slots if piece == index}
        third: Tokens = (ANY,) if 2 in coming else ()  # noqa: PLR2004 (the third round)
        return [(*pair, *third) for pair in self._pairs(index, coming)]

    def _pairs(self, index: int, coming: set[int]) -> Sequence[Tokens]:
        """What a piece may still do in the two rounds; its own ones' programmes a seat knows."""
        if not coming & {0, 1}:
            return (NOTHING,)
        c = self._character(index)
        tokens = c.programmed
        if c.paranoid or c.returned:
            return (NOTHING,)
        if tokens and all(token is not None for token in tokens):
            return _known(tokens, delayed=c.delayed)
        inside = self.sight.places[index] == self.sight.goal
        count = _actions(c)
        if 0 in coming and count > 1:
            pairs = PAIRS_INSIDE if inside else PAIRS_OUTSIDE
            return [pair for pair in pairs if not set(pair) & set(c.lost)] or (NOTHING,)
        if 0 in coming and count:
            return SINGLES_INSIDE if inside else SINGLES_OUTSIDE
        if count > 1 or (count and c.delayed):
            left = [t for t in (INSIDE if inside else OUTSIDE) if t not in (*c.used, *c.lost)]
            return tuple((None, token) for token in left) or (NOTHING,)
        return (NOTHING,)


def _known(tokens: Sequence[str | None], *, delayed: bool) -> Sequence[Tokens]:
    """What a known programme leaves open: whether a single action is put off."""
    if len(tokens) > 1:
        return ((tokens[0] or None, tokens[1] or None),)
    later: Tokens = (None, tokens[0] or None)
    return (later,) if delayed else ((tokens[0] or None, None), later)


def _actions(c: Character) -> int:
    """How many actions a character has this turn; that is public once programming is over."""
    if c.program is not None and c.program.tokens is not None:
        return len(c.program.tokens)
    return 1 if c.limited else 2
