"""Plays a game by the client of openapi-python-client: a program of a client.

Its argument is the address of a service; it tells the game's id.
"""

import sys
import uuid
from typing import TypeVar

from parlour_client import AuthenticatedClient, Client
from parlour_client.api.games import open_game, read_events, take_seat
from parlour_client.api.players import register_player
from parlour_client.api.playing import choose, read_decisions
from parlour_client.models import (
    Choice,
    NewGame,
    NewPlayer,
    NewSeat,
    Problem,
    UnknownEvent,
)

A = TypeVar("A")


def key() -> str:
    """A fresh ``Idempotency-Key``."""
    return str(uuid.uuid4())


def good(answer: A | Problem | None) -> A:
    """The answer, if it is none of a problem."""
    if answer is None or isinstance(answer, Problem):
        raise SystemExit(f"a problem: {answer}")
    return answer


def play(client: AuthenticatedClient, game: str) -> None:
    """Choose defaults until the game is over."""
    while True:
        found = good(read_decisions.sync(game, client=client))
        if found.status == "finished":
            return
        for decision in found.decisions:
            if isinstance(decision.default, str):
                wish = Choice(option=decision.default)
                good(
                    choose.sync(game, decision.id, client=client, body=wish, idempotency_key=key())
                )
                break


def main() -> None:
    """Become a player, open a table, sit down, play, and know every event."""
    url = sys.argv[1]
    made = good(
        register_player.sync(
            client=Client(base_url=url), body=NewPlayer(name="Ada"), idempotency_key=key()
        )
    )
    client = AuthenticatedClient(base_url=url, token=made.token.token)
    table = NewGame(rulebook="first_edition", mode="solo", seats=1)
    game = good(open_game.sync(client=client, body=table, idempotency_key=key())).game
    good(take_seat.sync(game, client=client, body=NewSeat(), idempotency_key=key()))
    play(client, game)
    page = good(read_events.sync(game, client=client, limit=1000))
    unknown = [line.event for line in page.events if isinstance(line.event, UnknownEvent)]
    if unknown:
        raise SystemExit(f"unknown: {unknown}")
    sys.stdout.write(game)


if __name__ == "__main__":
    main()
