"""Recorders in the place of what a page is heard and felt by: a test reads what it asked for."""

from __future__ import annotations

from typing import Any, Final

from playwright.sync_api import Page, expect

from tests.e2e.people import Person

RECORDERS: Final = """() => {
    const made = { contexts: 0, tones: [], pulses: [], shown: [], asked: 0, open: [] };
    window.recorded = made;
    const count = () => {
        for (const [name, all] of Object.entries(made)) {
            document.documentElement.dataset[`test${name}`] = all.length ?? all;
        }
    };
    const record = (list, one) => {
        list.push(one);
        count();
    };
    const parameter = () => ({
        value: 0,
        setValueAtTime() {},
        linearRampToValueAtTime() {},
        exponentialRampToValueAtTime() {},
    });
    class Node { connect() {} }
    class Oscillator extends Node {
        frequency = parameter();
        start(at) {
            // Calls have a pitch; what a table sounds like glides, and is no call.
            this.frequency.value && record(made.tones, [this.frequency.value, at]);
        }
        stop() {}
    }
    class Hiss extends Node { start() {} stop() {} }
    window.AudioContext = class {
        state = "running";
        currentTime = 0;
        destination = new Node();
        constructor() { made.contexts += 1; }
        createOscillator() { return new Oscillator(); }
        sampleRate = 8000;
        createBuffer(channels, length) {
            return { getChannelData: () => new Float32Array(length) };
        }
        createBufferSource() { return new Hiss(); }
        createBiquadFilter() { return Object.assign(new Node(), { frequency: parameter() }); }
        createGain() { return Object.assign(new Node(), { gain: parameter() }); }
        async resume() {}
    };
    navigator.vibrate = (pulses) => record(made.pulses, pulses);
    window.Notification = class extends EventTarget {
        static get permission() { return localStorage.getItem("test.leave") ?? "default"; }
        static async requestPermission() {
            made.asked += 1;
            const answer = localStorage.getItem("test.answer") ?? "granted";
            localStorage.setItem("test.leave", answer);
            return answer;
        }
        constructor(title, options) {
            super();
            this.tag = options.tag;
            made.shown.push({ title, ...options });
            record(made.open, this);
        }
        close() {
            made.open = made.open.filter((each) => each !== this);
            count();
        }
    };
    let hidden = false;
    Object.defineProperty(document, "hidden", { get: () => hidden });
    const state = () => (hidden ? "hidden" : "visible");
    Object.defineProperty(document, "visibilityState", { get: state });
    window.hide = (now) => {
        hidden = now;
        document.dispatchEvent(new Event("visibilitychange"));
    };
}"""

CALL: Final = [[659, 0], [880, 0.18]]
"""The two tones: hertz, and when they begin in seconds."""


def record(person: Person) -> Page:
    """Put the recorders into all documents that a person's page opens from now on."""
    person.runs_first(f"({RECORDERS})()")
    return person.page


def recorded(page: Page, what: str) -> Any:
    """What a page has asked for: ``contexts``, ``tones``, ``pulses``, ``shown``, ``asked``."""
    return page.evaluate(f"recorded.{what}")


def records(page: Page, what: str, count: int) -> None:
    """Wait until a page has asked for something so many times; ``open`` are notices not closed."""
    expect(page.locator("html")).to_have_attribute(f"data-test{what}", str(count))


def hide(page: Page, *, hidden: bool = True) -> None:
    """Look at another tab, or at this one again."""
    page.evaluate(f"hide({str(hidden).lower()})")
