"""A page that asks for the first programmes, and what people do there with the cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct
from playwright.sync_api import Locator, Page, expect

from tests.e2e.acting import card_of
from tests.e2e.clients import Client, Json
from tests.e2e.people import DESKTOP, Look, Person
from tests.e2e.watching import watch

WANTED: Final = ("push", "look")


class Programming(Struct, frozen=True):
    """A page that asks for the first programme of two characters."""

    ada: Client
    bob: Client
    one: Person
    game: str
    decisions: list[Json]

    @property
    def page(self) -> Page:
        """The page."""
        return self.one.page

    def card(self, number: int = 0) -> Locator:
        """The card of the first decision, or of a further one."""
        return card_of(self.page, self.decisions[number])

    def slots(self, number: int = 0) -> Locator:
        """The slots below the figure of the first decision, or of a further one."""
        return self.page.locator(f".b-slots [data-decision='{self.decisions[number]['id']}'] > g")

    def changes(self, token: str) -> Locator:
        """Add a card to what is handed in of the first decision; its card on the page."""
        answered = self.page.locator(f".p-answered[data-decision='{self.decisions[0]['id']}']")
        answered.locator(".p-change > summary").click()
        answered.locator(f".p-card[data-card={token}]").click()
        return answered

    def hands_in(self, option: str) -> None:
        """Answer the first decision elsewhere than on the page."""
        self.ada.post(f"/games/{self.game}/decisions/{self.decisions[0]['id']}", {"option": option})

    def handed_in(self, number: int = 0) -> list[str]:
        """The tokens that the service has of the first decision, or of a further one."""
        character = self.decisions[number]["subject"]
        program = self.ada.state(self.game, "seat:1")["play"]["characters"][character]["program"]
        return list(program["tokens"])


def first_programmes(
    person: Callable[..., Person],
    client: Callable[..., Client],
    look: Look = DESKTOP,
    one: Person | None = None,
) -> Programming:
    """Open a game at its first programmes, before somebody with a screen of some kind."""
    ada, bob = client("Ada"), client("Bob")
    game = ada.opens("competition", 2)
    for number, player in enumerate((ada, bob), 1):
        player.sits(game, seat=number)
    while ada.asked(game)[0]["kind"] != "program":
        for player in (ada, bob):
            player.chooses(game, "r1c2")
    one = one or person("Ada", look)
    one.signs_in(ada)
    watch(one, game)
    made = Programming(ada, bob, one, game, ada.asked(game))
    expect(made.card()).to_be_visible()
    return made


def laid(card: Locator) -> list[str | None]:
    """What lies in the slots of a card, in their order."""
    return [each.get_attribute("data-card") for each in card.locator(".p-laid").all()]


def lies(card: Locator, *tokens: str) -> None:
    """Wait until these lie in the slots."""
    places = card.locator(".p-laid")
    expect(places).to_have_count(len(tokens))
    for at, token in enumerate(tokens):
        expect(places.nth(at)).to_have_attribute("data-card", token)


def is_handed_in(it: Programming, *tokens: str, number: int = 0) -> None:
    """The page has handed these in, of the first decision or of a further one."""
    expect(it.card(number)).to_have_count(0)
    assert it.handed_in(number) == list(tokens)
