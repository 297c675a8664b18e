"""A turn played through in thought, everybody acting for the best as ``worth`` sees it (pure)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.room25.bots import abilities
from games.room25.bots.position import DOOM, ImaginedPosition
from games.room25.bots.terrain import MIDDLE, NEXT, SHIFTS_AT, Place
from games.room25.model.catalogue import BASIC_ACTIONS, SPECIAL

Tokens = tuple[str | None, ...]
"""What a piece does in round 1, in round 2 and with adrenaline; None: nothing."""

Slots = Sequence[tuple[int, int]]
"""Whose slots are still to come: the index of the piece, and 0, 1 or (adrenaline) 2."""

ANY: Final = "any"
"""Whatever basic action is best, as adrenaline lets one choose."""

WON: Final = -50.0
"""The value of an escape."""


class Turn(ImaginedPosition):
    """The rest of a turn, in thought."""

    def run(self, tokens: Sequence[Tokens], slots: Slots) -> float:
        """Play the slots to come and value the end."""
        for piece, number in slots:
            mine = tokens[piece]
            if number < len(mine) and (now := mine[number]):
                self.act(piece, now, hasty=number == 0 and mine[1] not in {None, "move"})
            if self.won:
                return WON + number
        return self.value()

    def outcome(self, tokens: Sequence[Tokens], slots: Slots) -> float:
        """As ``run``, for a turn in which the escape may have come already."""
        return WON - 1 if self.won else self.run(tokens, slots)

    def act(self, piece: int, action: str, *, hasty: bool) -> None:
        """Let a piece act; ``hasty``: it has another action this turn that is no move."""
        self._do(piece, action, hasty=hasty)
        if piece in self.armed:
            self.toll += DOOM

    def _do(self, piece: int, action: str, *, hasty: bool) -> None:
        if action == "move":
            self._best_step(piece, [(piece, door, hasty) for door in self.doors(piece)])
        elif action == "push":
            self._best_step(piece, self._pushes(piece))
        elif action == "look":
            self._look(piece)
        elif action == "control":
            self._control(piece)
        elif action == SPECIAL:
            self._best_trick(piece)
        elif action == ANY:
            self._anything(piece)

    def _anything(self, piece: int) -> None:
        """The best of the basic actions."""
        known = self.sight.seen.pieces[piece].tokens
        self._best_of(piece, [(action, ()) for action in BASIC_ACTIONS if action in known])

    def _best_trick(self, piece: int) -> None:
        """The best use of a special ability."""
        self._best_of(piece, list(abilities.uses(self, piece)))

    def _best_of(self, piece: int, deeds: list[abilities.Trick]) -> None:
        """Do what turns out best, if there is anything."""
        ends = [self.fork() for _ in deeds]
        for end, (deed, about) in zip(ends, deeds, strict=True):
            if deed in BASIC_ACTIONS:
                end.act(piece, deed, hasty=False)
            else:
                abilities.use(end, piece, deed, about)
        if ends:
            sign = self.sign(piece)
            best = min(ends, key=lambda end: WON if end.won else sign * end.value())
            self.__dict__.update(best.__dict__)

    # --- moving and pushing ---

    def _pushes(self, piece: int) -> list[tuple[int, Place, bool]]:
        here = self.places[piece]
        if here == MIDDLE:
            return []
        victims = [i for i, where in enumerate(self.places) if where == here and i != piece]
        return [(victim, door, True) for victim in victims for door in self.doors(victim)]

    def _best_step(self, actor: int, steps: list[tuple[int, Place, bool]]) -> None:
        """The best of some steps as (piece, door, hasty), by ``actor``'s lights."""
        if not steps:
            return
        sign, landings = self.sign(actor), self.worth.landings(self.layout)

        def badness(step: tuple[int, Place, bool]) -> float:
            piece, door, hasty = step
            risk = self.risk(piece, door, hasty=hasty) if piece in self.worth.crew else 0.0
            seen = self.seen | {self.layout[door]} if piece == actor else self.seen
            return sign * (risk + self.with_piece(piece, landings[door], seen))

        piece, door, hasty = min(steps, key=badness)
        self.step(piece, door, hasty=hasty)

    # --- looking ---

    def _look(self, piece: int) -> None:
        here = self.places[piece]
        if self.kind(here) == "dark":
            return
        doors = [door for door in NEXT[here] if not self.sight.up[self.layout[door]]]
        if doors:
            self.look(max(doors, key=lambda door: self.interest(piece, door)))

    # --- shifting ---

    def _control(self, piece: int) -> None:
        here = self.places[piece]
        free = self.sight.seen.both_ways
        shifts = [s for s in SHIFTS_AT[here] if free or self.markers.get(s.line) != s.against]
        if not shifts:
            return
        if self.layout[here] == self.sight.goal and any(s.out == here for s in shifts):
            self.won = self.ready() and piece != self.foe
            if self.won:
                return
        sign = self.sign(piece)
        self.shift(min(shifts, key=lambda s: sign * self.worth.of(*self.moved(s), self.seen)))
