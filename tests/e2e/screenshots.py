"""Takes the pictures of docs/screenshots: ``python -m tests.e2e.screenshots FOLDER``.

With names of looks behind the folder (``all``: each of them) it takes every screen in these: three
sizes in two themes, more than the repository should hold. No test compares pictures: fonts differ
from machine to machine. They are for people to look at, as docs/look.md says.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Final, Literal

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from tests.e2e.clients import Client, finished_game
from tests.e2e.conftest import launched
from tests.e2e.people import Look, Person
from tests.e2e.serving import Service
from tests.e2e.watching import badge, move, root, watch
from tests.e2e.windows import Window

SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
LOOKS: Final = {
    "desktop": Look(width=1280, height=860),
    "phone": Look(width=390, height=844, touch=True, scheme="dark"),
}
"""The looks of the pictures in the repository."""

SIZES: Final = {"wide": (1440, 900), "desktop": (1280, 800), "phone": (390, 844)}
EVERY_LOOK: Final = {
    f"{size}-{scheme}": Look(width=width, height=height, touch=size == "phone", scheme=scheme)
    for size, (width, height) in SIZES.items()
    for scheme in SCHEMES
}
MOST_BYTES: Final = 200_000

COMPLETE: Final = """() =>
    (!document.querySelector(".b-room") || document.querySelector(".b-hero") !== null)
    && [...document.querySelectorAll("img.screen")].every((each) => each.complete && each.src)"""
"""Whether all that comes later has come."""
TOWN_CHOICES: Final = 40
"""So many decisions are answered by their defaults before the town's picture is taken."""
CALM: Final[Mapping[str, object]] = {"limits_s": {"response": 3600, "decision": 3600}}
"""Limits that nobody exceeds while pictures are taken."""

Scene = Callable[[Person, "Stage"], None]


class Stage:
    """Games in all states, and who plays them."""

    def __init__(self, url: str) -> None:
        self.players = [Client(url, name) for name in ("Ada", "Blaise", "Carl", "Dorothy")]
        ada = self.players[0]
        self.replay = finished_game(self.players, "suspicion", seed=4)
        finished_game(self.players[:2], "competition", seed=8)
        self.live = self._begun("suspicion", 4, "first_edition", turns=3)
        self.ultimate = self._begun("cooperation", 4, "ultimate", turns=1)
        self.open = ada.opens("cooperation", 4)
        ada.sits(self.open)
        ada.seats_bot(self.open, "steady")
        self.players[1].opens("team", 4)
        self.town = self._town()

    def _town(self) -> str:
        """A game of Cerveauuu! some way on."""
        players = self.players[:2]
        game = players[0].opens("standard", 2, "prototype", game="cerveauuu", time=CALM)
        for player in players:
            player.sits(game)
        for _ in range(TOWN_CHOICES):
            player, decision = next((p, each) for p in players for each in p.asked(game))
            option = decision["default"] or decision["options"][0]["id"]
            player.post(f"/games/{game}/decisions/{decision['id']}", {"option": option})
        return game

    def _begun(self, mode: str, seats: int, rulebook: str, turns: int) -> str:
        """Begin games until one lasts so many turns; its id."""
        players = self.players[:seats]
        choice = random.Random(12)
        while True:
            game = players[0].opens(mode, seats, rulebook)
            for player in players:
                player.sits(game)
            while (state := players[0].state(game))["phase"] != "finished":
                if state["play"]["turn"] > turns:
                    return game
                asked = [(player, each) for player in players for each in player.asked(game)]
                player, decision = asked[0]
                option = choice.choice(decision["options"])["id"]
                player.post(f"/games/{game}/decisions/{decision['id']}", {"option": option})


def lobby(person: Person, stage: Stage) -> None:
    """The tables, as somebody sees them who plays at some."""
    person.signs_in(stage.players[0])
    page = person.opens("/")
    expect(page.locator(f"[data-game='{stage.replay}']").first).to_be_visible()


def table(person: Person, stage: Stage) -> None:
    """An open table, as its host sees it."""
    person.signs_in(stage.players[0])
    watch(person, stage.open)
    expect(person.page.locator(".seats")).to_be_visible()


def play(person: Person, stage: Stage) -> None:
    """A game in which one is asked to programme."""
    seated = next(p for p in stage.players if p.asked(stage.ultimate))
    person.signs_in(seated)
    page = watch(person, stage.ultimate)
    expect(page.locator("section[data-decision]").first).to_be_visible()


def replay(person: Person, stage: Stage) -> None:
    """A finished game in its middle, with all secrets open."""
    page = watch(person, stage.replay, "?as=full")
    badge(page, "verified")
    last = int(root(page).get_attribute("data-version") or 0)
    move(page, "scrubber").fill(str(last * 2 // 3))
    move(page, "back").click()


def finale(person: Person, stage: Stage) -> None:
    """The last scene of a game, as one of its players sees it."""
    person.signs_in(stage.players[0])
    page = watch(person, stage.replay)
    move(page, "finale").click()
    expect(page.locator(".finale-cast li")).to_have_count(4)


def town(person: Person, stage: Stage) -> None:
    """A game of Cerveauuu! in which one is asked."""
    seated = next(p for p in stage.players if p.asked(stage.town))
    person.signs_in(seated)
    page = watch(person, stage.town)
    expect(page.locator("section[data-decision]").first).to_be_visible()


def opening(person: Person, stage: Stage) -> None:
    """The form for a new table."""
    person.signs_in(stage.players[0])
    expect(person.opens("/?page=new").locator(".new-table")).to_be_visible()


def visitor(person: Person, stage: Stage) -> None:
    """The lobby, as somebody sees it who has never been here."""
    expect(person.opens("/").locator(f"[data-game='{stage.replay}']")).to_be_visible()


def wall(person: Person, stage: Stage) -> None:
    """The wall, as the host of most of its tables sees it."""
    person.signs_in(stage.players[0])
    tables = f"{stage.live},{stage.ultimate},{stage.town},{stage.open},{stage.replay}"
    page = person.opens(f"/?page=wall&tables={tables}")
    expect(page.locator(".wall-table")).to_have_count(5)


def knew(person: Person, stage: Stage) -> None:
    """What a seat knew in the middle of a finished game."""
    page = watch(person, stage.replay, "?as=full&at=150")
    move(page, "knew").click()
    page.locator("dialog [data-knew='2']").click()
    expect(page.locator(".knew-place").first).to_be_attached()


def account(person: Person, stage: Stage) -> None:
    """What a player has to prove who it is."""
    person.signs_in(stage.players[0])
    expect(person.opens("/?page=account").locator("[data-token]").first).to_be_visible()


def profile(person: Person, stage: Stage) -> None:
    """What a player has played so far."""
    page = person.opens(f"/?page=profile&player={stage.players[0].player}")
    expect(page.locator("tbody td").first).to_be_visible()


def leaderboards(person: Person, stage: Stage) -> None:
    """The players of a season by their ratings: nobody has played ten games."""
    assert stage.replay
    expect(person.opens("/?page=leaderboards").locator(".empty")).to_be_visible()


def found(person: Person, stage: Stage) -> None:
    """The search of finished games."""
    page = person.opens(f"/?page=finished&player={stage.players[0].player}")
    expect(page.locator(f"[data-game='{stage.replay}']")).to_be_visible()


def rules(person: Person, stage: Stage) -> None:
    """All that a rulebook says."""
    assert stage.ultimate
    page = person.opens("/?page=rules&game=room25&rulebook=ultimate")
    expect(page.locator(".rules-entry").first).to_be_visible()


def lesson(person: Person, stage: Stage) -> None:
    """The first hint of a lesson."""
    person.signs_in(stage.players[0])
    page = person.opens("/")
    page.locator("[data-learn=room25]").first.click()
    expect(page.locator(".lesson")).to_be_visible()
    expect(page.locator("section[data-decision]").first).to_be_visible()


def branching(person: Person, stage: Stage) -> None:
    """The question for whom a moment of a finished game is played on."""
    person.signs_in(stage.players[0])
    page = watch(person, stage.replay, "?at=30")
    move(page, "what-if").click()
    expect(page.locator("[data-dialog=what-if]")).to_be_visible()


def tour(person: Person, stage: Stage) -> None:
    """A game that somebody shows to others."""
    person.signs_in(stage.players[0])
    page = watch(person, stage.replay, "?at=30")
    move(page, "tour-begin").click()
    expect(page.locator(".tour")).to_be_visible()


SCENES: Final[tuple[Scene, ...]] = (lobby, table, play, replay)
"""The screens of the pictures in the repository."""
EVERY_SCENE: Final = (
    *SCENES,
    *(finale, town, opening, visitor, wall, knew),
    *(account, profile, leaderboards, found, rules, lesson, branching, tour),
)


def main(arguments: Sequence[str]) -> int:
    """Take all pictures; 1 if one is too large for the repository."""
    folder, named = Path(arguments[0]), arguments[1:]
    wanted = EVERY_LOOK if named == ["all"] else {name: EVERY_LOOK[name] for name in named}
    looks, scenes = (wanted, EVERY_SCENE) if named else (LOOKS, SCENES)
    folder.mkdir(parents=True, exist_ok=True)
    with Service() as service, sync_playwright() as driver:
        browser = launched(driver)
        stage = Stage(service.url)
        files = [
            picture(
                Window(browser, service.url, look),
                scene,
                stage,
                folder / f"{scene.__name__}-{name}.png",
            )
            for scene in scenes
            for name, look in looks.items()
        ]
        browser.close()
    too_large = [file.name for file in files if file.stat().st_size > MOST_BYTES]
    for file in files:
        print(f"{file}: {file.stat().st_size} bytes")
    return 1 if too_large and not named else 0


def picture(window: Window, scene: Scene, stage: Stage, file: Path) -> Path:
    """Play a scene in front of a new browser, and take its picture."""
    person = Person(window, "Ada")
    scene(person, stage)
    settled(person.page)
    taken = person.page.screenshot(animations="disabled", scale="css")
    person.leaves().closes()
    # 256 colours are enough for a drawing of a dozen, and a quarter of the bytes. This way of
    # choosing them keeps small bright things bright.
    Image.open(BytesIO(taken)).convert("RGB").quantize(
        256, method=Image.Quantize.MAXCOVERAGE, kmeans=3, dither=Image.Dither.NONE
    ).save(file, optimize=True)
    assert not person.unexpected(), person.unexpected()
    return file


def settled(page: Page) -> None:
    """Wait for the fonts, for large drawings and small boards, and for what is drawn later."""
    page.wait_for_function(COMPLETE)
    page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame))")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
