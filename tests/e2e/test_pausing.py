"""A pause by agreement: one asks, the other, on a phone and in another language, agrees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.axe import violations
from tests.e2e.clients import Client, begun
from tests.e2e.layout import lasting
from tests.e2e.people import Look, Person
from tests.e2e.planting import plant_all
from tests.e2e.watching import watch

FLOATS: Final = {"play/pausing.js": {"on ? this.shelf : this.home": "this.home"}}
"""The panel of pauses stays below all else."""
COVERING: Final = ".shelf { margin-top: -4rem; }"
"""The panel lies over what is above it."""

SIZES: Final = ((1366, 657), (390, 844))

IN_SIGHT: Final = """(button) => {
    const { left, top, width, height } = button.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    return button.contains(document.elementFromPoint(x, y));
}"""
"""Whether a press reaches a button where it is."""

UNDER: Final = f"""() => [...document.querySelectorAll("section[data-decision] button")]
    .filter((button) => {{
        button.scrollIntoView({{ block: "nearest" }});
        return !({IN_SIGHT})(button);
    }}).map((button) => button.textContent)"""
"""What can be chosen and is covered where one has scrolled to it."""


# By day two pause and play on in test_two_people.py, and the next test looks for the buttons.
@pytest.mark.nightly
def test_two_agree_on_a_pause_and_play_on(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    players = [client("Ada"), client("Bob")]
    game = begun(players)  # both are asked where their clue is
    ada, bob = (
        person("Ada", Look(language="en-GB")),
        person("Bob", Look(width=390, height=844, language="pl-PL")),
    )
    for who, seat in ((ada, 1), (bob, 2)):
        who.signs_in(players[seat - 1])
        watch(who, game)
    one, two = ada.page, bob.page
    one.set_viewport_size({"width": 390, "height": 844})
    one.locator("#pausing-open").click()
    expect(one.locator("#pausing-ask")).to_be_in_viewport(ratio=1)  # below the edge otherwise
    one.set_viewport_size({"width": 1280, "height": 860})
    one.locator("#pausing-length").select_option("20")
    one.locator("#pausing-ask").click()
    expect(one.locator("#pausing-decline")).to_have_text("Take it back")
    expect(two.locator(".pausing")).to_contain_text("Ada prosi o przerwę (20 minut).")
    # Beside all there is to decide, and on a phone, nobody has to look for it.
    expect(two.locator("section[data-decision]").first).to_be_visible()
    expect(two.locator("#pausing-agree")).to_be_in_viewport(ratio=1)
    two.locator("#pausing-agree").press("Enter")
    expect(two.locator("[data-banner=paused]")).to_contain_text("Gracze zrobili przerwę")
    expect(one.locator("[data-banner=paused]")).to_contain_text("The players have paused")
    # The log tells both lengths alike, and no clock's minutes beside minutes.
    expect(one.locator(".log")).to_contain_text("Ada proposes a pause of 20\u00a0min.")
    expect(one.locator(".log")).to_contain_text("stand still, for 20\u00a0min at most.")
    assert violations(two, ".pausing, [data-banner=paused]") == []
    two.locator("#pausing-resume").click()
    expect(one.locator(".pausing")).to_contain_text("Ready to play on: Bob.")
    one.locator("#pausing-resume").click()
    expect(one.locator("[data-banner=paused]")).to_have_count(0)
    expect(two.locator("#pausing-length")).to_be_visible()


@pytest.mark.parametrize("faulty", [False, True], ids=["whole", "faulty"])
def test_what_ends_a_pause_is_in_sight_of_whoever_has_asked_for_it(
    person: Callable[..., Person], client: Callable[..., Client], *, faulty: bool
) -> None:
    ada, bob, one = client("Ada"), client("Bob"), person("Ada")
    plant_all(one.page, FLOATS if faulty else {})
    game = begun([ada, bob])
    one.signs_in(ada)
    page = watch(one, game)
    expect(page.locator("section[data-decision]").first).to_be_visible()
    page.locator("#pausing-open").press("Enter")
    page.locator("#pausing-ask").press("Enter")
    hidden = out_of_sight(page.locator("#pausing-decline"), faulty=faulty)
    if not faulty:
        assert lasting(page, lambda: list(page.evaluate(UNDER))) == []
        page.set_viewport_size({"width": 390, "height": 640})  # where it would lie over answers
        assert lasting(page, lambda: list(page.evaluate(UNDER))) == []
        page.evaluate("(css) => document.styleSheets[0].insertRule(css)", COVERING)
        assert page.evaluate(UNDER) != []
        page.evaluate("() => document.styleSheets[0].deleteRule(0)")
    bob.post(f"/games/{game}/pause-votes", {"vote": "agree"})
    hidden += out_of_sight(page.locator("#pausing-resume"), faulty=faulty)
    if not faulty:
        page.reload()  # it need not be unfolded
        hidden += out_of_sight(page.locator("#pausing-resume"), faulty=False)
    assert (hidden != []) is faulty, hidden


def out_of_sight(button: Locator, *, faulty: bool) -> list[str]:
    """On which screens a button cannot be pressed from where its reader has scrolled to.

    What the page draws late may cover it for a moment; of a fault nobody waits for the end.
    """
    expect(button).to_be_visible()
    return _hidden(button) if faulty else lasting(button.page, lambda: _hidden(button))


def _hidden(button: Locator) -> list[str]:
    found = []
    for width, height in SIZES:
        button.page.set_viewport_size({"width": width, "height": height})
        for place in (0, 9999):
            column = button.page.locator(".watch-scroll")
            column.evaluate("(column, place) => { column.scrollTop = place; }", place)
            if not button.evaluate(IN_SIGHT):
                found.append(f"at {place} of {width} by {height}")
    return found
