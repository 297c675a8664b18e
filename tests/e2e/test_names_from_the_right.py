"""Names that are written from the right keep their place in sentences that are not."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Page

from tests.e2e.planting import plant_all

NAMES: Final = ("Ada", "מרים", "مريم", "مريم 2")

NOT_APART: Final = {"called.js": {"FROM_THE_RIGHT.test(name) ? ": "name === null ? "}}
"""What a name is written like is not asked."""

PLACES: Final = """async (name) => {
    const { called, calledInRow } = await import("/web/called.js");
    const { learnNames } = await import("/web/net/names.js");
    learnNames({ [name]: { name } });
    return [called(1, { name_seal: name }), calledInRow({ seat: 1, name })].map((said) => {
        const line = document.createElement("p");
        line.textContent = `7 for ${said}, 8 for Bob`;
        document.body.append(line);
        const left = (text) => {
            const [range, at] = [document.createRange(), line.textContent.indexOf(text)];
            range.setStart(line.firstChild, at);
            range.setEnd(line.firstChild, at + text.length);
            return range.getBoundingClientRect().left;
        };
        const found = ["7", name, "8", "Bob"].map(left);
        line.remove();
        return found;
    });
}"""
"""Where a sentence has its parts, in pixels from the left."""


@pytest.mark.parametrize("name", NAMES)
def test_numbers_stay_on_their_side_of_a_name(modules: Page, name: str) -> None:
    for places in modules.evaluate(PLACES, name):
        assert places == sorted(places)


def test_numbers_that_change_sides_are_noticed(own_modules: Page) -> None:
    plant_all(own_modules, NOT_APART)
    assert [
        [places == sorted(places) for places in own_modules.evaluate(PLACES, name)]
        for name in NAMES
    ] == [[True, True], [False, False], [False, False], [False, False]]
