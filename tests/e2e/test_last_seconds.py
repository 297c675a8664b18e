"""The last seconds of a choice are counted, and tick for whoever wants to hear it."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.e2e.listening_in import RECORDERS, hide, recorded
from tests.e2e.windows import LATER_S


def test_the_last_ten_seconds_are_counted_and_no_others(own_modules: Page) -> None:
    own_modules.clock.install(time=0)
    counted = """async (due) => {
        const { LastSeconds } = await import("/web/calling/last-seconds.js");
        window.heard = [];
        window.countdown = new LastSeconds({ now: Date.now, onSecond: (left) => heard.push(left) });
        countdown.set(due);
    }"""
    own_modules.clock.pause_at(LATER_S)
    own_modules.evaluate(counted, 1_000 * (LATER_S + 60))
    own_modules.clock.run_for(49_999)
    assert own_modules.evaluate("heard") == []
    own_modules.clock.run_for(3_000)
    assert own_modules.evaluate("heard") == [10, 9, 8]
    own_modules.evaluate("countdown.set(null)")
    own_modules.clock.run_for(20_000)
    assert own_modules.evaluate("heard") == [10, 9, 8]
    own_modules.evaluate("heard.length = 0; countdown.set(Date.now() + 4_500)")
    own_modules.clock.run_for(20_000)
    assert own_modules.evaluate("heard") == [4, 3, 2, 1]


def test_it_ticks_for_whoever_looks_and_wants_it(own_modules: Page) -> None:
    page = own_modules
    page.evaluate("navigator.userActivation.hasBeenActive")
    page.mouse.click(5, 5)
    words = {"calling.tab.one": "your turn", "calling.tab.other": "{count}"}
    page.evaluate(
        """async (words) => {
            (await import("/web/words.js")).useWords("en", { x: words });
            const { Caller } = await import("/web/calling/caller.js");
            window.caller = new Caller({ navigate: () => {} });
            window.wish = (await import("/web/calling/wishes.js")).wish;
        }""",
        words,
    )
    page.evaluate(f"({RECORDERS})()")
    page.clock.install(time=0)
    page.clock.pause_at(LATER_S)
    call = "caller.update([{ game: 'g', why: 'turn', decisions: ['a'], others: [], due: DUE }])"
    page.evaluate(call.replace("DUE", "Date.now() + 12_500"))
    page.clock.run_for(4_500)
    assert recorded(page, "tones") == []
    page.evaluate("wish({ sound: true })")
    page.clock.run_for(2_000)
    assert recorded(page, "tones") == [[1320, 0]] * 2
    hide(page)
    page.clock.run_for(2_000)
    assert len(recorded(page, "tones")) == 2
    hide(page, hidden=False)
    page.clock.run_for(1_000)
    assert len(recorded(page, "tones")) == 3
    page.evaluate("caller.close()")
    page.clock.run_for(5_000)
    assert len(recorded(page, "tones")) == 3
