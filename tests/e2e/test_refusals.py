"""Whatever the service refuses, the page says in the reader's language."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, Request, Route, expect

from games.registry import GAMES
from service.http.problems import KINDS
from tests.e2e.acting import card_of
from tests.e2e.axe import violations
from tests.e2e.clients import Client
from tests.e2e.people import Look, Person
from tests.e2e.serving import Service
from tests.e2e.watching import choose_language, speaks, watch

LANGUAGES: Final = ("en", "fr", "pl")

SENTENCES: Final = """async ([language, problems, games]) => {
    const at = document.querySelector("meta[name=files]").content;
    const { loadWords, wantWords } = await import(`${at}languages.js`);
    const { Problem } = await import(`${at}net/problem.js`);
    const { explain, sentenceOf } = await import(`${at}refusal.js`);
    wantWords(["common", "refusals"], games);
    await loadWords(language);
    const all = problems.map((given) => new Problem(given));
    return Promise.all(all.map(async (each) => [sentenceOf(each), await explain(each)]));
}"""

REFUSED: Final = {
    "en": ("The clocks of the service disagree", "Try again in 60 minutes."),
    "fr": ("Les horloges du service ne s’accordent pas", "Réessayez dans 60 minutes."),
    "pl": ("Zegary serwisu się nie zgadzają", "Spróbuj ponownie za 60 minut."),
}


WAITS_S: Final = 30
"""Seconds before something is sent again. A page's clock goes on by itself: two would be over on a
busy machine before anybody has looked at what the page says meanwhile."""

AN_HOUR: Final = "3600"
"""After which a page sends something again that is stopped before, however long that takes."""


def problem(code: str, status: int) -> dict[str, object]:
    """A problem document as the service sends it, in English."""
    title = KINDS[code].title if code in KINDS else "Something new"
    return {"type": f"/problems/{code}", "title": title, "status": status, "detail": "as it is"}


def refuses(route: Route, code: str, status: int, after: str = "") -> None:
    """Answer a request by a problem."""
    headers = {"retry-after": after} if after else {}
    body = json.dumps(problem(code, status))
    route.fulfill(
        status=status, headers=headers, content_type="application/problem+json", body=body
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_problem_has_a_sentence(own_modules: Page, language: str) -> None:
    problems = [problem(kind.code, kind.status) for kind in KINDS.values()]
    told = own_modules.evaluate(SENTENCES, [language, problems, list(GAMES)])
    assert all(now == later for now, later in told)
    assert len({now for now, _ in told}) == len(KINDS)
    assert [now for now, _ in told if "HTTP" in now] == []


def test_what_the_page_does_not_know_yet_is_told_by_the_service(own_modules: Page) -> None:
    page = own_modules
    titles = {"en": "Something new", "fr": "Du nouveau", "pl": "Coś nowego"}
    page.route("**/problems/brand-new", lambda route: route.fulfill(json={"titles": titles}))
    told = page.evaluate(SENTENCES, ["pl", [problem("brand-new", 409)], list(GAMES)])
    assert [later for _, later in told] == ["Coś nowego."]


def test_long_waits_are_told_in_hours(own_modules: Page) -> None:
    limited = problem("too-many-registrations", 429)
    waits = [limited | {"retryAfter": seconds} for seconds in (1, 119, 120, 7199, 40000)]
    told = own_modules.evaluate(SENTENCES, ["en", waits])
    ends = [now.rpartition("Try again ")[2] for now, _ in told]
    assert ends == [
        "in 1 second.",
        "in 119 seconds.",
        "in 2 minutes.",
        "in 120 minutes.",
        "in 12 hours.",
    ]


KEPT: Final = {
    "en": "It is kept, and the page sends it again by itself: ",
    "fr": "Il est gardé, et la page le renvoie d’elle-même\u00a0: ",
    "pl": "Wybór nie przepadł, a strona sama wyśle go jeszcze raz: ",
}

AGAIN: Final = {
    "en": "Your last request has not gone through yet.",
    "fr": "Votre dernière demande n’est pas encore passée.",
    "pl": "Ostatnie polecenie nie dotarło jeszcze do serwisu.",
}


UNSURE: Final = {
    "en": "Nobody knows whether your request has arrived.",
    "fr": "On ne sait pas si votre demande est arrivée.",
    "pl": "Nie wiadomo, czy polecenie dotarło.",
}


def test_a_choice_that_the_service_cannot_take_is_kept_and_sent_again(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    """Each language says all of it once, of the same choice."""
    ada = client("Ada")
    game = ada.opens("cooperation", 2)
    ada.sits(game)
    ada.seats_bot(game)
    one = person("Ada", Look(language=LANGUAGES[0]))
    one.allow("50[23]")
    one.signs_in(ada)
    page = watch(one, game)
    decision = ada.asked(game)[0]
    card = card_of(page, decision)
    keys: list[str] = []
    busy = [("store-full", "1"), ("no-free-connection", "1"), *[("clock-skew", "7")] * 6]
    busy += [("clock-skew", AN_HOUR)] * len(LANGUAGES)  # its player does not wait for it

    def refuse(route: Route) -> None:
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) > len(busy):
            route.continue_()
        else:
            code, after = busy[len(keys) - 1]
            refuses(route, code, 503, after)

    page.route("**/decisions/*", refuse)
    clock = one.context.clock
    clock.install()
    is_kept(card, LANGUAGES[0])
    while not card.locator(".p-problem").count():  # the command is first given again by itself
        clock.run_for(1000)
    for text in (REFUSED[LANGUAGES[0]][0], "7"):
        expect(card.locator(".p-problem")).to_contain_text(text)
    expect(card.locator(".p-again")).to_have_count(0)
    # Whoever chooses the same once more gives the same command, until all is drawn anew.
    for language in LANGUAGES:
        speaks(page, language)
        is_kept(card, language)
        card.locator(".p-again button").click()
        for text in REFUSED[language]:
            expect(card.locator(".p-problem")).to_contain_text(text)
    card.locator("button[data-option]").first.click()
    expect(page.locator(f"[data-decision='{decision['id']}']")).to_have_count(0)
    assert len(keys) == len(busy) + 1
    once_more = len(busy) - len(LANGUAGES) + 1
    assert len(set(keys[:once_more])) == len(set(keys[-2:])) == 1
    assert len(set(keys)) == len(LANGUAGES)
    assert decision["id"] not in {each["id"] for each in ada.asked(game) if not each["answered"]}
    tells_of_what_it_sends_again(page)
    stops_what_a_window_sends(one)


def is_kept(card: Locator, language: str) -> None:
    """Choose what is not taken: it is kept, and nothing else can be chosen meanwhile."""
    option = card.locator("button[data-option]").first
    option.click()
    expect(card.locator(".p-again")).to_contain_text(KEPT[language])
    expect(option).to_be_disabled()


def tells_of_what_it_sends_again(page: Page) -> None:
    """What is no choice is told of over the page; stopped, it can be tried anew."""
    keys: list[str] = []
    tries = [*[AN_HOUR] * len(LANGUAGES), "", str(WAITS_S), ""]
    """After how many seconds each may be sent again; without any it is taken."""

    def refuse(route: Route) -> None:
        after = tries[len(keys)]
        keys.append(route.request.headers["idempotency-key"])
        if after:
            refuses(route, "store-full", 503, after)
        else:
            route.continue_()

    page.route("**/phrases", refuse)
    strip, laugh = page.locator(".again"), page.locator("#talk-laugh")
    told = page.locator(".talk-problem")
    for language in reversed(LANGUAGES):  # which begins with that of the page
        speaks(page, language)
        page.locator("#talk-open").press("Enter")
        laugh.click()
        expect(strip).to_contain_text(AGAIN[language])
        expect(laugh).to_have_attribute("aria-disabled", "true")
        if language == LANGUAGES[0]:
            assert violations(page, ".again") == []
        # Below a window nothing can be pressed: it follows into one that opens, and out of it.
        page.keyboard.press("?")
        page.locator("dialog .again button").click(trial=True)
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_have_count(0)
        strip.locator("button").click()
        expect(strip).to_have_count(0)
        expect(told).to_contain_text("60")
    laugh.click()
    expect(told).to_have_text("")
    laugh.click()
    expect(strip).to_be_visible()
    page.clock.run_for(1000 * WAITS_S)
    expect(strip).to_have_count(0)
    expect(told).to_have_text("")
    assert len(keys) == len(tries)
    assert len(set(keys)) == len(tries) - 1


def stops_what_a_window_sends(one: Person) -> None:
    """A command that a window over the page has given can be stopped there."""
    page = one.goes_to("/?page=account")
    tries: list[str] = []

    def answer(route: Route) -> None:
        if route.request.method == "GET":
            route.continue_()  # the page is drawn anew in each language
        elif tries.pop(0) == "lost":
            refuses(route, "http-502", 502)
        else:
            refuses(route, "store-full", 503, AN_HOUR)

    page.route("**/players/*", answer)
    for language in LANGUAGES:
        choose_language(page, language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        page.locator("[data-action=delete-account]").click()
        asked = page.get_by_role("dialog")
        asked.locator("input").fill(one.name)
        tries += ["lost", "told"]
        asked.locator("[type=submit]").click()
        while tries:
            page.clock.run_for(1000)
        page.locator(".again button").click()
        note = asked.locator(".error")
        expect(note).to_contain_text(UNSURE[language])
        expect(note).not_to_contain_text("as it is")  # of the last attempt alone
        expect(page.locator(".again")).to_have_count(0)
        page.keyboard.press("Escape")
        expect(asked).to_have_count(0)


@pytest.fixture
def strict() -> Iterator[Service]:
    """A service at which nobody may have more than one table, or register twice."""
    with Service(TABLES_PER_ACCOUNT="1", REGISTRATIONS_PER_DAY="1") as running:
        yield running


# The service comes first, so that people leave before it stops: a page may fetch its fonts late.
def test_quotas_are_explained(
    strict: Service, person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    player = client("Ada", strict.url)
    player.opens("cooperation", 4)
    one = person("Bob", url=strict.url, look=Look(language="fr"))
    one.allow("409|429")
    page = one.opens("/?page=account")
    told = page.locator(".error:visible")
    page.locator("#field-name").fill("Bob")
    page.locator("form", has=page.locator("#field-name")).locator("[type=submit]").click()
    expect(told).to_contain_text("il n’en entre plus")
    expect(told).to_contain_text("Réessayez dans")
    one.signs_in(player)
    one.goes_to("/?page=new")
    page.locator(".new-table [type=submit]").click()
    expect(told).to_contain_text("autant de tables qu’il peut en attendre")


def test_a_choice_on_its_way_arrives_though_its_page_is_left(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada = client("Ada")
    game = ada.opens("cooperation", 2)
    ada.sits(game)
    ada.seats_bot(game)
    one = person("Ada")
    one.signs_in(ada)
    page = watch(one, game)
    decision = ada.asked(game)[0]
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/decisions/*", hold)
    failed: list[str] = []

    def note(request: Request) -> None:
        failed.append(request.url)

    page.on("requestfailed", note)
    with page.expect_request("**/decisions/*"):
        card_of(page, decision).locator("button[data-option]").first.click()
    page.locator("a[href='/']").first.click()
    expect(page.locator(".watch")).to_have_count(0)
    assert [each for each in failed if "/decisions/" in each] == [], "it was called back"
    page.remove_listener("requestfailed", note)
    with page.expect_request_finished(lambda each: "/decisions/" in each.url):
        held[0].continue_()
    assert decision["id"] not in {each["id"] for each in ada.asked(game) if not each["answered"]}
