"""The account page: an account that cannot be lost, in browsers of their own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, Request, expect

from tests.e2e.axe import violations
from tests.e2e.clients import Client
from tests.e2e.people import SESSION, Look, Person
from tests.e2e.qr_reading import read_code
from tests.e2e.serving import Service
from tests.e2e.test_knew import asks
from tests.e2e.test_listed_sentences import SEEN
from tests.e2e.watching import watch

QR = "async (text) => (await import('/web/account/qr.js')).qrCode(text)"


@pytest.mark.parametrize("length", [1, 14, 40, 60, 80, 100, 120, 150, 180, 213])
def test_a_code_says_its_text(modules: Page, length: int) -> None:
    text = "https://parlour.example/?page=account#link=plr-link." * 5
    assert read_code(modules.evaluate(QR, text[:length])) == text[:length]


def test_a_module_that_is_turned_over_is_noticed(modules: Page) -> None:
    code = modules.evaluate(QR, "x" * 100)
    code[20][20] = not code[20][20]
    with pytest.raises(AssertionError):
        read_code(code)


def test_a_text_too_long_for_a_code_is_refused(modules: Page) -> None:
    failed = f"async (text) => {{ try {{ await ({QR})(text); }} catch (e) {{ return e.name; }} }}"
    assert modules.evaluate(failed, "x" * 214) == "RangeError"


def account_page(person: Person) -> Page:
    """A person's account page, with what the service knows of the account."""
    page = person.opens("/?page=account")
    expect(page.locator("[data-token]").first).to_be_visible()
    return page


def sent(person: Person) -> list[str]:
    """What a person's browser sends from now on: addresses and headers."""
    seen: list[str] = []

    def note(request: Request) -> None:
        seen.append(request.url + json.dumps(request.headers))

    person.notes(note)
    return seen


def test_a_link_signs_another_browser_in_once(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob, eve = person("Ada"), person("Bob", Look(language="fr")), person("Eve")
    ada.signs_in(client("Ada"))
    page = account_page(ada)
    page.locator("[data-action=make-link]").click()
    address = page.locator("#device-link").input_value()
    secret = address.partition("#link=")[2]
    assert re.fullmatch(r"plr-link\.p[0-9a-f]{2}-[0-9a-z]{26}\.[A-Za-z0-9_-]{43}", secret)
    assert read_code(drawn(page)) == address

    addresses = sent(bob)
    other = bob.opens(address)
    go = other.get_by_role("button", name="Se connecter")
    expect(go).to_be_visible()
    assert secret not in other.url
    go.click()
    expect(other.get_by_role("heading", level=1)).to_have_text("Ada")
    expect(other.locator("[data-token]")).to_have_count(2)
    assert bob.token != ada.token
    assert [each for each in addresses if secret in each] == []

    eve.allow("410")
    last = eve.opens(address)
    last.get_by_role("button", name="Sign in").click()
    expect(last.get_by_role("alert")).to_contain_text("works only once")
    assert last.evaluate("localStorage.getItem('parlour.session')") is None

    page.reload()
    row = page.locator("[data-token]", has_text="Signed in by a link")
    row.get_by_role("button", name="Revoke").click()
    expect(page.locator("[data-token]")).to_have_count(1)
    bob.allow("401")
    other.reload()
    expect(other.get_by_role("alert")).to_be_visible()


def with_authenticator(person: Person, page: Page) -> tuple[CDPSession, str]:
    """Give a page a device that keeps passkeys, whose owner is there and shows it."""
    tools = person.context.new_cdp_session(page)
    tools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    made = tools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return tools, made["authenticatorId"]


def test_a_passkey_signs_another_browser_in_until_it_is_revoked(
    service: Service, person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    named = service.url.replace("127.0.0.1", "localhost")
    ada = person("Ada", url=named)
    bob = person("Bob", Look(language="fr"), url=named)
    ada.signs_in(client("Ada"))
    page = account_page(ada)
    tools, device = with_authenticator(ada, page)
    passkeys = page.locator("[data-passkey]")
    make = page.locator("[data-action=make-passkey]")
    page.get_by_label("Name of the passkey").fill("The laptop")
    make.click()
    expect(passkeys.locator("strong")).to_have_text("The laptop")
    assert violations(page) == []
    make.click()
    expect(page.get_by_role("alert")).to_contain_text("already has a passkey")

    other = bob.opens("/?page=account")
    use = other.locator("[data-action=use-passkey]")
    expect(use).to_be_visible()
    phone, kept = with_authenticator(bob, other)
    use.click()
    expect(other.get_by_role("alert")).to_contain_text("Rien n’a été confirmé")
    (credential,) = tools.send("WebAuthn.getCredentials", {"authenticatorId": device})[
        "credentials"
    ]
    phone.send("WebAuthn.addCredential", {"authenticatorId": kept, "credential": credential})
    use.click()
    expect(other.get_by_role("heading", level=1)).to_have_text("Ada")
    expect(other.locator("[data-token]", has_text="Connexion par une clé d’accès")).to_be_visible()
    assert bob.token != ada.token

    passkeys.get_by_role("button", name="Revoke").click()
    expect(passkeys).to_have_count(0)
    bob.allow("410")
    listed = other.locator("[data-passkey]")
    listed.locator("summary").click()
    listed.locator("form [type=submit]").click()
    expect(listed).to_have_count(0)
    expect(other.get_by_role("alert")).to_contain_text("elle ne connecte plus personne")
    expect(other.get_by_role("alert")).not_to_contain_text("Connectez-vous")
    other.evaluate(f"async () => {SESSION}.forget()")
    use.click()
    expect(other.get_by_role("alert")).to_contain_text("a été révoquée")
    expect(other.get_by_role("alert")).not_to_contain_text("revoked")  # the service's detail

    other.add_init_script("delete window.PublicKeyCredential")
    other.reload()
    expect(other.locator(".account")).to_contain_text("Un fichier de secours vous rend")
    expect(use).to_have_count(0)


def drawn(page: Page) -> list[list[bool]]:
    """The modules of the code on a page."""
    shape: Any = page.locator(".qr").evaluate(
        "(qr) => [qr.viewBox.baseVal.width, qr.querySelector('.qr-dark').getAttribute('d')]"
    )
    size, dark = int(shape[0]) - 8, set(re.findall(r"M(\d+) (\d+)h1v1h-1z", shape[1]))
    return [[(str(x + 4), str(y + 4)) in dark for x in range(size)] for y in range(size)]


def test_all_ways_in_begin_at_one_height(service: Service, person: Callable[..., Person]) -> None:
    page = person("Eve", url=service.url.replace("127.0.0.1", "localhost")).opens("/?page=account")
    ways = page.locator(".two > *")
    expect(ways).to_have_count(4)
    first, passkey = (each.bounding_box() for each in ways.all()[:2])
    assert first is not None
    assert passkey is not None
    assert first["x"] + first["width"] <= passkey["x"]
    assert first["y"] == passkey["y"]


def test_a_recovery_file_gives_the_account_back_to_an_empty_browser(
    person: Callable[..., Person], client: Callable[..., Client], tmp_path: Path
) -> None:
    ada, lost = person("Ada"), person("Ada", Look(language="pl"))
    ada.signs_in(client("Ada"))
    page = account_page(ada)
    files = []
    for name in ("older.json", "newer.json"):
        with page.expect_download() as download:
            page.locator("[data-action=make-file]").click()
        assert download.value.suggested_filename == "parlour-recovery.json"
        download.value.save_as(tmp_path / name)
        files.append(tmp_path / name)
    wrong = tmp_path / "wrong.json"
    wrong.write_text('{"format": "something-else"}')

    lost.allow("403")
    other = lost.opens("/?page=account")
    form = other.locator("form", has=other.locator("#field-recovery"))
    for file, told in ((wrong, "To nie jest plik"), (files[0], "Zastąpił go nowszy")):
        other.locator("#field-recovery").set_input_files(file)
        form.locator("[type=submit]").click()
        expect(form.get_by_role("alert").filter(visible=True)).to_contain_text(told)
    other.locator("#field-recovery").set_input_files(files[1])
    form.locator("[type=submit]").click()
    expect(other.get_by_role("heading", level=1)).to_have_text("Ada")
    expect(other.locator("[data-token]")).to_have_count(2)


def test_a_sign_in_is_named_and_all_others_are_revoked(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    player = client("Ada")
    player.post("/tokens", {"scopes": ["bot"], "label": "my robot"})
    ada = person("Ada")
    ada.signs_in(player)
    page = account_page(ada)
    own = page.locator("[data-token]", has_text="this browser")
    own.get_by_text("Name it").click()
    own.get_by_label("Name of this sign-in").fill("The kitchen tablet")
    own.get_by_role("button", name="Save").click()
    expect(own.locator("strong")).to_have_text("The kitchen tablet")
    expect(page.locator("[data-token]")).to_have_count(2)
    bot = page.locator("[data-token]", has_text="my robot")
    player.revokes(str(bot.get_attribute("data-token")))  # in another browser
    ada.allow("409")
    bot.get_by_text("Name it").click()
    bot.get_by_label("Name of this sign-in").fill("my other robot")
    bot.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("revoked")
    expect(bot).to_have_count(0)
    player.post(f"/players/{player.player}/name", {"name": "Augusta"})
    page.locator("#field-rename").fill("Augusta")
    page.get_by_role("button", name="Change the name").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Augusta")
    player.post("/tokens", {"scopes": ["bot"]})
    page.reload()
    page.locator("[data-action=revoke-others]").click()
    expect(page.locator("[data-token]")).to_have_count(1)
    expect(page.locator("[data-action=revoke-others]")).to_be_hidden()


def test_a_new_name_and_an_erased_one_are_on_open_pages_at_once(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    player, other = client("Ada Lovelace"), client("Bob")
    game = player.opens("cooperation", 2)
    player.sits(game)
    other.sits(game)
    eve, ada, bob = person("Eve"), person("Ada"), person("Bob")
    watching = watch(eve, game)
    names = watching.locator(".b-person-name")
    expect(names).to_have_text(["Ada Lovelace", "Bob"])
    knew = asks(watching, 1)
    expect(knew).to_contain_text("What Ada Lovelace knew")
    # Bob has seen nothing yet but how the table was opened.
    bob.signs_in(other)
    bob.page.evaluate(SEEN, ["parlour.seen", json.dumps([[f"{other.player}/{game}", 1]])])
    returned = watch(bob, game)
    expect(returned.locator(".away")).to_contain_text("Ada Lovelace")

    ada.signs_in(player)
    page = account_page(ada)
    page.locator("#field-rename").fill("Augusta King")
    page.get_by_role("button", name="Change the name").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Augusta King")
    expect(page.locator("#top .who")).to_have_text("Augusta King")
    # The account has been read anew: a reading of one that is gone would be refused.
    expect(page.locator("[data-token]")).to_have_count(1)
    expect(names).to_have_text(["Augusta King", "Bob"])
    expect(knew).to_contain_text("What Augusta King knew")
    expect(returned.locator(".away")).to_contain_text("Augusta King")
    for each in (watching, returned):
        expect(each.locator("body")).not_to_contain_text("Lovelace")

    page.locator("[data-action=delete-account]").click()
    dialog = page.get_by_role("dialog")
    go = dialog.get_by_role("button", name="Delete it for ever")
    dialog.get_by_label("to confirm").fill("Augusta")
    expect(go).to_be_disabled()
    dialog.get_by_label("to confirm").fill("Augusta King")
    go.click()
    expect(page.locator("#field-name")).to_be_visible()
    expect(names).to_have_text(["deleted player", "Bob"])
    for each in (watching, returned):
        expect(each.locator("body")).not_to_contain_text("Augusta")
