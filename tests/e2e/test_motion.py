"""How each game's drawing moves: events on a drawing of a few nodes, and what is shown of them."""

from __future__ import annotations

from typing import Any, Final

from playwright.sync_api import Page

COMPLEX: Final = """async ({ figures, moved, gone, events }) => {
    const { s } = await import("/web/dom.js");
    const { MOTION } = await import("/web/games/room25/board/motion.js");
    const { corner } = await import("/web/games/room25/board/geometry.js");
    const { CELLS } = await import("/web/games/room25/fold/grid.js");
    const at = (cell, by = 0) => {
        const { x, y } = corner(cell);
        return `translate(${x + by}px, ${y + by}px) scale(1)`;
    };
    const put = (node, transform) => (node.style.setProperty("transform", transform), node);
    const tiles = CELLS.map((cell) => put(s("g", { class: "b-tile", dataset: { id: cell } },
        s("g", { class: "b-face-hidden" }, s("g", { class: "b-hatch" })),
        s("rect", { class: "b-choice" })), at(cell)));
    const people = Object.entries(figures).map(([id, cell]) =>
        put(s("g", { class: "b-figure", dataset: { figure: id } }), at(cell, 50)));
    const board = s("svg", {}, s("circle", { class: "b-signal-glow" }),
        s("g", { class: "b-tiles" }, tiles), s("g", { class: "b-figures" }, people),
        s("g", { class: "b-effects" }));
    document.body.append(board);
    const before = MOTION.look(board);
    for (const [name, cell] of Object.entries(moved)) {
        const figure = people.find((node) => node.dataset.figure === name);
        const tile = tiles.find((each) => each.dataset.id === name);
        put(figure ?? tile, at(cell, figure ? 50 : 0));
    }
    people.filter((node) => gone.includes(node.dataset.figure)).forEach((node) => node.remove());
    const found = MOTION.effects(events, before, board).map(({ name, ms, sound, movements }) =>
        [name, ms >= 300 && ms <= 700, sound, movements.length,
            movements.filter(({ temporary }) => temporary).length]);
    const last = Object.fromEntries([...before.keys()].filter((node) => node.isConnected)
        .map((node) => [node.dataset.figure ?? node.dataset.id, node.style.transform]));
    board.remove();
    return { found, last };
}"""

TOWN: Final = """async (events) => {
    const { s } = await import("/web/dom.js");
    const { MOTION } = await import("/web/games/cerveauuu/board/motion.js");
    const cell = (id, x) => s("rect", { dataset: { cell: id }, x, y: 0, width: 20, height: 20 });
    const piece = (id, x) => {
        const node = s("g", { class: "cv-piece", dataset: { piece: id } });
        node.style.setProperty("transform", `translate(${x}px, 10px)`);
        return node;
    };
    const all = [piece("h1", 10), piece("z1", 50), piece("h2", 90)];
    const pieces = s("g", { class: "cv-layer-pieces" }, all);
    const grid = s("g", {}, cell("a", 0), cell("b", 20), cell("c", 40));
    const board = s("svg", { viewBox: "0 0 100 100" }, pieces, grid);
    document.body.append(board);
    const before = MOTION.look(board);
    pieces.children[0].style.setProperty("transform", "translate(55px, 5px)");
    pieces.children[2].remove();
    const found = MOTION.effects(events, before, board).map(({ name, sound, movements }) =>
        [name, sound, movements.map(({ frames }) => frames.at(-1).transform ?? null)]);
    board.remove();
    return found;
}"""


def complex_shows(modules: Page, *events: dict[str, Any], **more: Any) -> list[Any]:
    """What some events of Room 25 are shown by.

    Each effect is its name, whether it lasts 300 to 700 ms, its sound, how many nodes it moves, and
    how many of these are there for it alone.
    """
    given = {"figures": {}, "moved": {}, "gone": [], "events": events} | more
    found: list[Any] = modules.evaluate(COMPLEX, given)["found"]
    return found


def test_a_door_opens_before_anybody_walks_in_and_ice_comes_last(modules: Page) -> None:
    moved = {"type": "character-moved", "character": "max", "cell": "r1c2", "cause": "push"}
    shown = complex_shows(
        modules,
        moved,
        {"type": "room-revealed", "cell": "r1c2", "kind": "mortal"},
        {"type": "character-eliminated", "character": "max", "cause": "mortal"},
        figures={"max": "r2c2", "alice": "r2c2"},
        gone=["max"],
    )
    assert shown == [
        ["open", True, "hatch", 1, 1],
        ["push", True, "push", 1, 0],
        ["death", True, "death", 2, 2],
    ]


def test_a_line_takes_along_who_stands_on_it_and_comes_round(modules: Page) -> None:
    row = ["r1c0", "r1c1", "r1c2", "r1c3", "r1c4"]
    shown = complex_shows(
        modules,
        {"type": "line-shifted", "line": "row1", "way": "right", "cause": "control"},
        figures={"max": "r1c4", "alice": "r1c0", "emmett": "r3c3"},
        moved=dict(zip(row, [*row[1:], row[0]], strict=True)) | {"max": "r1c0", "alice": "r1c1"},
    )
    # Five tiles and two figures, and what leaves on the right of the last tile and its figure.
    assert shown == [["slide", True, "slide", 9, 2]]


def test_looks_turned_up_actions_swaps_and_alarms_are_shown(modules: Page) -> None:
    shown = complex_shows(
        modules,
        {"type": "room-peeked", "seat": 1, "cell": "r0c0"},
        {"type": "action-revealed", "character": "max", "slot": 1, "token": "move"},
        {"type": "tiles-swapped", "first": "r0c0", "second": "r0c1", "cause": "moving"},
        {"type": "alarm-raised", "last_turn": 6},
        {"type": "turn-began", "turn": 2, "order": []},
        figures={"max": "r2c2"},
        moved={"r0c0": "r0c1", "r0c1": "r0c0"},
    )
    assert [name for name, *_ in shown] == ["look", "flip", "swap", "alarm"]
    assert all(bearable for _, bearable, *_ in shown)
    # What has moved without an event that tells it still gets to its place.
    assert complex_shows(modules, figures={"max": "r2c2"}, moved={"max": "r2c3"}) == [
        ["settle", True, None, 1, 0]
    ]


def test_the_town_walks_fights_eats_and_plays_cards(modules: Page) -> None:
    shown = modules.evaluate(
        TOWN,
        [
            {"type": "round-began", "round": 2, "chief": 1},
            {"type": "card-played", "seat": 1},
            {"type": "human-wandered", "human": "h1", "path": ["b", "c"]},
            {"type": "attack-began", "principal": "z1", "target": "h2"},
            {"type": "human-eaten", "seat": 1, "human": "h2", "zombie": "z2"},
        ],
    )
    assert [(name, sound) for name, sound, _ in shown] == [
        ("reel", "flip"),
        ("card", "flip"),
        ("walk", "step"),
        ("fight", "fight"),
        ("death", "groan"),
    ]
    # Two stand on the cell where the walk ends: it ends where the drawing has it.
    assert shown[2][2] == ["translate(55px, 5px)"]
    assert shown[3][2] == ["translate(50px, 10px)"]
