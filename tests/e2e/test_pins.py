"""Games of tests are dealt alike in every run, as long as nobody asks for others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tests.e2e.acting import choose_a_name
from tests.e2e.clients import Client
from tests.e2e.people import Person
from tests.e2e.pins import keys
from tests.e2e.serving import Service

KNOWN: Final = ("p01-321cbab5pqp5dtcs5cap5rnwc9", "g02-2cpz6w7wmgd6ttx92z40z17e3e")
"""Who has the keys of a certain pin, and the first game that they open."""


def first_game(service: Service, pin: str) -> tuple[str, str]:
    """Who has the keys of a pin, and the first game that they open."""
    ada = Client(service.url, "Ada", keys=keys(pin))
    try:
        return ada.player, ada.opens("cooperation", 2)
    finally:
        ada.close()


def test_the_keys_of_a_pin_lead_to_the_same_game_in_every_run(service: Service) -> None:
    assert first_game(service, "a pin that is known") == KNOWN


def test_another_pin_leads_to_another_game(service: Service) -> None:
    """A control: players and games that are always the same would be found equal as well."""
    ours, theirs = first_game(service, "one pin"), first_game(service, "another pin")
    assert ours == first_game(service, "one pin")
    assert set(ours).isdisjoint(theirs)


def test_whoever_becomes_a_player_on_the_page_is_the_same_one_too(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    found = []
    for pin in ("a pin of a page", "a pin of a page", "another pin of a page"):
        one = person("Ada", pin=pin)
        one.opens("/")
        choose_a_name(one)
        found.append(client("Ada", token=one.token).player)
    assert found[0] == found[1] != found[2]
