"""What is too late, foreign or sent twice: the page says so to its reader, and nothing changes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from events.seal import bytes_of, text_of
from tests.e2e.clients import Client
from tests.e2e.people import BROKEN_LINE, KEPT, SESSION, Person
from tests.e2e.serving import Service
from tests.e2e.test_account import account_page, with_authenticator
from tests.e2e.test_connection import Table
from tests.e2e.test_refusals import refuses
from tests.e2e.test_rematch import given_up, sits_at_the_end
from tests.e2e.watching import drawn_in, move, root, watch

FOREIGN: Final = {
    "en": "This passkey belongs to another site",
    "fr": "Cette clé d’accès est celle d’un autre site",
    "pl": "Ten klucz dostępu należy do innej strony",
}
UNUSUAL_ADDRESS: Final = {
    "en": "Passkeys do not work at this address.",
    "fr": "Les clés d’accès ne fonctionnent pas à cette adresse.",
    "pl": "Klucze dostępu nie działają pod tym adresem.",
}
REPLAYED: Final = {
    "en": "This attempt was already used once",
    "fr": "Cette tentative a déjà servi",
    "pl": "Ta próba została już wykorzystana",
}
EXPIRED: Final = {
    "en": "This invitation has expired.",
    "fr": "Cette invitation a expiré.",
    "pl": "To zaproszenie wygasło.",
}
TO_NOBODY: Final = {
    "en": "Nobody is there to hear this.",
    "fr": "Il n’y a personne pour l’entendre.",
    "pl": "Nikt tego nie usłyszy.",
}
ALL_GONE: Final = {
    "en": "Everybody else who played in this game has deleted their account.",
    "fr": "Tous les autres joueurs de cette partie ont supprimé leur compte.",
    "pl": "Wszyscy pozostali gracze tej gry usunęli swoje konta.",
}
STILL_RUNS: Final = {
    "en": "The game is not over yet",
    "fr": "La partie n’est pas finie",
    "pl": "Gra jeszcze trwa",
}

ELSEWHERE: Final = "elsewhere.example"
LAPSED: Final = "invitation-link-expired"


def in_each_language(page: Page) -> Iterator[str]:
    """Have the page drawn anew in one language after another."""
    for language in ("en", "fr", "pl"):
        drawn_in(page, language)
        yield language


def tells(where: Locator, code: str, text: str) -> None:
    """The one refusal that is shown there is of this kind, and says so in these words."""
    expect(where.locator("[data-problem]")).to_have_count(1)
    expect(where.locator(f"[data-problem={code}]")).to_contain_text(text)


def changed(route: Route, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Send a request on with another body."""
    route.continue_(post_data=json.dumps(change(json.loads(route.request.post_data or ""))))


def of_another_page(proof: dict[str, Any]) -> dict[str, Any]:
    """What a browser would have signed on a page of another site."""
    said = json.loads(bytes_of(proof["client_data"])) | {"origin": f"https://{ELSEWHERE}"}
    return proof | {"client_data": text_of(json.dumps(said).encode())}


def use_of_a_passkey(page: Page) -> tuple[Locator, Locator]:
    """The card by which one signs in with a passkey, and its button."""
    use = page.locator("[data-action=use-passkey]")
    expect(use).to_be_visible()
    return page.locator("section.card", has=use), use


def test_passkeys_of_other_sites_and_replayed_challenges_sign_nobody_in(
    service: Service, person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    named = service.url.replace("127.0.0.1", "localhost")
    player, ada = client("Ada"), person("Ada", url=named)
    ada.allow("403|409|410")
    ada.signs_in(player)
    page = account_page(ada)
    with_authenticator(ada, page)
    page.locator("[data-action=make-passkey]").click()
    expect(page.locator("[data-passkey]")).to_have_count(1)
    forget = f"async () => {SESSION}.forget()"
    page.evaluate(forget)
    _, use = use_of_a_passkey(page)
    with page.expect_request("**/v1/sign-ins/passkey") as used:
        use.click()
    expect(page.locator("[data-token]")).to_have_count(2)
    page.evaluate(forget)
    replayed = used.value.post_data
    for language in in_each_language(page):
        card, use = use_of_a_passkey(page)
        page.route("**/v1/sign-ins/passkey", lambda route: changed(route, of_another_page))
        use.click()
        tells(card, "passkey-other-site", FOREIGN[language])
        page.unroute_all()
        page.route("**/v1/sign-ins/passkey", lambda route: route.continue_(post_data=replayed))
        use.click()
        tells(card, "passkey-challenge-used", REPLAYED[language])
        page.unroute_all()
        page.route("**/passkey/challenge", of_another_domain)
        use.click()
        expect(card.get_by_role("alert")).to_contain_text(UNUSUAL_ADDRESS[language])
        page.unroute_all()
    assert page.evaluate("(name) => localStorage.getItem(name)", KEPT) is None
    assert len(player.get("/tokens")["tokens"]) == 2


def of_another_domain(route: Route) -> None:
    """Ask for a passkey of another site than the page's."""
    answer = route.fetch()
    route.fulfill(response=answer, json=answer.json() | {"domain": ELSEWHERE})


def test_an_invitation_that_has_expired_seats_nobody_and_makes_nobody_a_player(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    host, eve = client("Ada"), person("Eve")
    eve.allow("410")
    game = host.opens("cooperation", 2, visibility="private")
    secret = host.post(f"/games/{game}/invitation-links", {"minutes": 60, "uses": None})["secret"]
    before = host.version(game)
    page = eve.opens(f"/?page=invitation#invitation={secret}")
    for language in in_each_language(page):
        form = page.locator("form.card")
        form.locator("#field-name").fill("Eve")
        # It expires while its reader reads.
        page.route("**/v1/invitations**", lambda route: refuses(route, LAPSED, 410))
        form.locator("[data-action=sit]").click()
        expect(form).to_have_count(0)  # what nobody can do any more is not offered
        expect(page.locator("h1:focus")).to_have_count(1)
        tells(page.locator(".account"), LAPSED, EXPIRED[language])
        page.unroute_all()
    page.route("**/v1/invitations**", lambda route: refuses(route, LAPSED, 410))
    page.reload()
    for language in in_each_language(page):
        tells(page.locator(".account"), LAPSED, EXPIRED[language])
    assert page.evaluate("(name) => localStorage.getItem(name)", KEPT) is None
    assert host.version(game) == before


def test_who_is_refused_can_try_again_where_nobody_says_what_has_come_of_the_link(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    host, eve = client("Ada"), person("Eve")
    eve.hurries()  # it looks again and again for a while
    eve.allow(f"410|{BROKEN_LINE}")
    eve.signs_in(client("Eve"))
    game = host.opens("cooperation", 2, visibility="private")
    secret = host.post(f"/games/{game}/invitation-links", {"minutes": 60, "uses": None})["secret"]
    page = eve.opens(f"/?page=invitation#invitation={secret}")
    form = page.locator("form.card")
    expect(form).to_be_visible()
    page.route("**/v1/invitations", lambda route: refuses(route, LAPSED, 410))
    page.route("**/v1/invitations/read", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        form.locator("[data-action=sit]").click()
    expect(form.locator("[data-action=sit]")).not_to_have_attribute("aria-disabled", "true")
    tells(form, LAPSED, EXPIRED["en"])


@pytest.fixture
def running(client: Callable[..., Client]) -> Table:
    """A game that goes on."""
    return Table(client("Ada"), client("Bob"))


def test_a_phrase_to_nobody_is_not_said(person: Callable[..., Person], running: Table) -> None:
    ada, (player, _) = person("Ada"), running.players
    ada.allow("422")
    ada.signs_in(player)
    page = watch(ada, running.game)
    before = player.version(running.game)
    page.route("**/phrases", lambda route: changed(route, lambda said: said | {"to": 9}))
    for language in in_each_language(page):
        page.locator("#talk-open").press("Enter")  # what comes in later would move it
        page.locator("#talk-accuse").click()
        page.locator("#talk-say").click()
        expect(page.locator(".talk-problem")).to_contain_text(TO_NOBODY[language])
    assert player.version(running.game) == before


def test_after_all_others_have_gone_a_rematch_opens_no_table(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    one, ada, bob = person("Ada"), client("Ada"), client("Bob")
    one.allow("409")
    game = given_up(ada, bob)
    page = sits_at_the_end(one, ada, game)
    bob.deletes_account()
    for language in in_each_language(page):
        move(page, "rematch").click()
        tells(page.locator(".rematch"), "players-gone", ALL_GONE[language])
    assert ada.get(f"/games/{game}/rematch")["rematch"] is None


def test_a_game_that_goes_on_is_not_branched(
    person: Callable[..., Person], client: Callable[..., Client], running: Table
) -> None:
    """No page of such a game offers it; what is sent all the same is explained."""
    one, ada = person("Ada"), running.players[0]
    one.allow("409")
    one.signs_in(ada)
    page = watch(one, running.game)
    expect(root(page)).to_have_attribute("data-viewer", "seat:1")
    expect(page.locator("[data-move=what-if]")).to_be_hidden()
    before = ada.version(running.game)
    over = given_up(ada, client("Bob"))
    watch(one, over)
    path = f"{one.url}/v1/games/{running.game}/branches"
    page.route("**/branches", lambda route: route.continue_(url=path))
    for language in in_each_language(page):
        page.locator("[data-move=what-if]").click()
        asked = page.locator("[data-dialog=what-if]")
        asked.locator("[data-move=branch]").click()
        tells(asked, "game-not-finished", STILL_RUNS[language])
        assert over in page.url
        page.keyboard.press("Escape")
        expect(asked).to_have_count(0)
    assert ada.version(running.game) == before
