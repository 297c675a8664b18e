"""How often the check of a log is told of while it goes on: each time the page is drawn anew."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Page

from tests.e2e.conftest import Finished

TOLD: Final = """async ([game, lines, step]) => {
    const { Verifier } = await import("/web/watch/verifier.js");
    const { parseLine } = await import("/web/fold/lines.js");
    const own = performance.now;
    let now = 0;
    performance.now = () => (now += step);
    try {
        return await new Promise((done) => {
            const told = [];
            const onChange = () => {
                told.push([verifier.state, verifier.version]);
                verifier.state === "checking" || done(told);
            };
            const headAt = async (version) => verifier.heads.get(version);
            const verifier = new Verifier(game, { after: 0, headAt, onChange });
            lines.forEach((text) => verifier.add(parseLine(text)));
        });
    } finally {
        performance.now = own;
    }
}"""
"""All that a check tells of the lines of a game, by a clock that goes on by so many milliseconds
whenever somebody looks at it."""


def test_a_check_that_is_soon_over_is_told_of_in_the_end(modules: Page, finished: Finished) -> None:
    told = modules.evaluate(TOLD, [finished.game, finished.lines, 0])
    assert told == [["verified", finished.last]]


def test_of_a_check_that_takes_a_while_it_is_told_how_far_it_has_come(
    modules: Page, finished: Finished
) -> None:
    told = modules.evaluate(TOLD, [finished.game, finished.lines, 1000])
    assert told[0] == ["checking", 32]
    assert told[-1] == ["verified", finished.last]
    assert len(told) == 1 + finished.last // 32
