"""A long game on the page: any moment of it is drawn, its line in sight, and how long that takes.

The figures are printed (``T='-m nightly -k long_game -s'``) and held to nothing: machines differ.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from statistics import median

import msgspec
import pytest
from msgspec import Raw

from events import seal
from games.game_registry import installed_games
from service.api.export import ReplayArchive
from service.contract.bodies import HeadInfo
from service.contract.rulebook_answers import RulebookAnswers
from service.page.static_files import read_site
from tests.e2e.people import DESKTOP, PHONE, Look, Person
from tests.e2e.test_timeline import LONG, long_game
from tests.e2e.watching import badge, root, shows

WEB = Path(__file__).parents[2] / "web"
SEEKS = 14

SEEK = """
async (version) => {
  const range = document.querySelector("input[type=range]");
  const watch = document.querySelector("article.watch");
  const began = performance.now();
  range.value = String(version);
  range.dispatchEvent(new Event("input", { bubbles: true }));
  while (watch.dataset.version !== String(version)) {
    await new Promise((resolve) => setTimeout(resolve));
  }
  document.body.getBoundingClientRect();
  return performance.now() - began;
}
"""

IN_SIGHT = """
() => {
  const list = document.querySelector(".log-lines");
  const box = list.getBoundingClientRect();
  const line = list.querySelector("li.current").getBoundingClientRect();
  return line.top >= box.top - 1 && line.bottom <= box.bottom + 1;
}
"""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that replays a game of more than 2,000 events."""
    table, site = long_game(), read_site(WEB)
    publics = [stored.public for stored in table.stored]
    assert len(publics) >= LONG
    head = seal.text_of(seal.chain(seal.genesis(table.stream), 0, publics))
    books = RulebookAnswers(installed_games()).book("room25", "ultimate").bodies
    held = ReplayArchive(
        game=table.stream,
        viewer="public",
        language="en",
        lines=[public.decode() for public in publics],
        head=HeadInfo(
            game=table.stream, version=len(publics), head=head, time=0, note=None, verifier=None
        ),
        names=table.names,
        renamed={},
        books={each: Raw(book.body) for each, book in books.items()},
        words=site.words,
    )
    file = tmp_path_factory.mktemp("long") / "long.html"
    file.write_bytes(site.frame.around(msgspec.json.encode(held)))
    return file


# By day test_timeline.py seeks every moment of the same game, without drawing it, and test_watch.py
# draws those of a shorter one.
@pytest.mark.nightly
@pytest.mark.parametrize("look", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_any_moment_of_a_long_game(
    person: Callable[..., Person], archive: Path, look: Look
) -> None:
    page = person("Reader", look, url="file://").page
    page.goto(archive.as_uri())
    badge(page, "verified")
    last = int(root(page).get_attribute("data-version") or 0)
    took = []
    for number in range(1, SEEKS + 1):
        version = 1 + number * 997 % last
        took.append(page.evaluate(SEEK, version))
        shows(page, version)
        page.wait_for_function(IN_SIGHT)
    print(f"{last} events: a seek takes {median(took):.0f} ms, {max(took):.0f} at most")  # noqa: T201 (see above)
