"""The deck: 140 cards by id, each as its row in the table of §8 (pure data).

Names are words of the catalogues (``cerveauuu/card.c031.name``): nothing asks for them here.
"""

from __future__ import annotations

from typing import Final

from games.cerveauuu.deck.notation import (
    ANY,
    DRAWN,
    EVERYONE,
    ME,
    ONE,
    OTHERS,
    TWO,
    adj,
    allies,
    at,
    b,
    ban,
    beside,
    block,
    c,
    cell,
    character,
    combatant,
    credits_need,
    credits_return,
    d,
    doors,
    draw,
    drop,
    edge,
    end_credits,
    event,
    every,
    firearm,
    fix,
    flee,
    foes,
    h,
    halt,
    inside,
    kill,
    look,
    lure,
    media,
    mod,
    near,
    p,
    place,
    r,
    ready,
    save,
    score,
    see,
    spawn,
    step,
    take,
    thing,
    tie,
    unblock,
    vehicle,
    w,
    weapon,
    weather,
    when,
    x,
    z,
)
from games.cerveauuu.model.language import Card

_END_CREDITS: Final = (
    end_credits("c001", DRAWN, mod(every("H"), "move", +1, "lasting")),
    end_credits("c002", DRAWN, mod(every("Z"), "move", +1, "lasting")),
    end_credits("c003", DRAWN, mod(every("H"), "move", -1, "lasting")),
    end_credits("c004", DRAWN, tie(every("H"), "win", "lasting")),
    end_credits("c005", DRAWN, mod(EVERYONE, "draws", +1, "lasting")),
    end_credits("c006", DRAWN, fix(every("H"), "sight", 5, "lasting")),
    end_credits("c007", DRAWN, mod(EVERYONE, "hand", -1, "lasting")),
    end_credits("c008", DRAWN, mod(every("Z"), "combat", +1, "lasting")),
)

_WEATHER: Final = (
    weather("c009", "PZOE", fix(every("H"), "sight", 3, "weather")),
    weather("c010", "PZOE", mod(every("X", "out"), "move", -1, "weather")),
    weather("c011", "PZOE", mod(every("H"), "move", -2, "weather")),
    weather("c012", "PZOE", fix(every("X", "out"), "move", 3, "weather")),
    weather("c013", "PZOE", mod(every("Z"), "combat", +1, "weather")),
    weather("c014", "PZOE", ban("firearm", "weather")),
    weather("c015", "PZOE", tie(every("Z", "out"), "none", "weather")),
    weather(
        "c016",
        "PZOE",
        fix(every("H"), "sight", 2, "weather"),
        mod(every("Z"), "move", -1, "weather"),
    ),
    weather(
        "c017", "PZOE", ban("vehicle", "weather"), mod(every("H", "out"), "move", +1, "weather")
    ),
    weather("c018", "PZOE", draw(ME, 1)),
)

_MEDIA: Final = (
    media("c019", "P", fix(every("H", "in"), "move", 0, "round")),
    media("c020", "P", mod(every("H"), "move", +2, "round")),
    media("c021", ANY, p("other"), look(ONE), draw(ME, 1)),
    media("c022", "PZOE", draw(EVERYONE, 1)),
    media("c023", "PZO", mod(every("Z"), "move", +1, "round")),
    media("c024", ANY, ban("firearm", "round")),
    media("c025", ANY, tie(every("H"), "win", "round")),
    media("c026", "ZOMC", z("own"), when("eats", ONE, score(ME, +1))),
    media("c027", "PZO", ban("vehicle", "round"), mod(every("H", "out"), "move", -1, "round")),
    media("c028", "P", mod(every("H"), "wander", +1, "round")),
    media("c029", "PZO", c(), lure(near(1, 4, "H"), 2, ONE)),
    media("c030", "PZOE", drop(OTHERS, 1)),
)

_FIREARMS: Final = (
    firearm("c031", ANY, h(), z(see(1), r(1, 8)), kill(TWO)),
    firearm("c032", ANY, h(), z(see(1), r(1, 4)), kill(TWO)),
    firearm("c033", ANY, h(), z(see(1), r(1, 2)), kill(TWO), block(near(2, 1, "Z"))),
    firearm("c034", ANY, h(), z(see(1), r(1, 3)), kill(TWO), block(ONE)),
    firearm("c035", ANY, h("out"), z("out", see(1)), kill(TWO)),
    firearm("c036", ANY, h(), z(see(1), r(1, 6)), block(TWO)),
    firearm("c037", ANY, h(), z(adj(1)), kill(TWO)),
    firearm("c038", ANY, h(), z(see(1), r(1, 6)), kill(TWO), fix(ONE, "move", 0, "round")),
    firearm("c039", ANY, h(), z(see(1), r(1, 3)), kill(TWO), kill(near(2, 1, "X"))),
    firearm("c040", ANY, z("out"), kill(ONE), drop(ME, 1)),
    firearm("c041", ANY, h(), z(see(1), r(1, 5)), block(TWO), save(TWO, "any")),
    firearm("c042", ANY, h(), h(see(1), r(1, 6)), kill(TWO)),
)

_WEAPONS: Final = (
    weapon("c043", "C", h("fight"), mod(ONE, "combat", +3, "combat")),
    weapon("c044", "C", h("fight"), mod(ONE, "combat", +1, "combat"), tie(ONE, "win", "combat")),
    weapon("c045", "C", h("fight"), mod(ONE, "combat", +2, "combat")),
    weapon("c046", "C", h("fight"), tie(ONE, "win", "combat")),
    weapon(
        "c047", "C", h("fight"), mod(ONE, "combat", +2, "combat"), when("wins", ONE, draw(ME, 1))
    ),
    weapon("c048", "C", h("fight"), mod(foes(1), "combat", -1, "combat")),
    weapon("c049", "C", h("fight"), mod(ONE, "combat", +1, "combat"), save(ONE, "melee")),
    weapon("c050", "C", x("fight"), mod(ONE, "combat", +1, "combat")),
    weapon("c051", "C", x("fight"), mod(ONE, "combat", +2, "combat")),
    weapon("c052", "C", z("own", "fight"), mod(ONE, "combat", +2, "combat")),
    weapon(
        "c053",
        "C",
        z("own", "fight"),
        mod(ONE, "combat", +1, "combat"),
        when("wins", ONE, draw(ME, 1)),
    ),
    weapon("c054", "C", h("fight"), mod(ONE, "combat", +1, "combat")),
    weapon("c055", "C", z("fight"), mod(ONE, "combat", -1, "combat")),
    weapon("c056", ANY, h(), c(see(1), r(1, 3)), kill(at(2)), cell(TWO, "opaque", "round")),
    weapon("c057", "C", h("fight"), tie(foes(1), "none", "combat")),
    weapon(
        "c058", "C", h("fight"), mod(ONE, "combat", +2, "combat"), when("wins", ONE, block(ONE))
    ),
)

_VEHICLES: Final = (
    vehicle("c059", ANY, h(), step(ONE, 8)),
    vehicle("c060", ANY, h("out"), z(adj(1)), kill(TWO), step(ONE, 3)),
    vehicle("c061", "PZO", c("out"), flee(near(1, 2, "H"), 6)),
    vehicle("c062", ANY, h(), step(ONE, 4)),
    vehicle("c063", "PZOE", h(), c("free", "in"), place(ONE, TWO)),
    vehicle("c064", "PZOM", z("out"), step(ONE, 2), block(ONE)),
    vehicle("c065", "PZO", c("free", "out"), lure(near(1, 6, "H"), 3, ONE)),
    vehicle("c066", "PZO", h("out"), step(ONE, 6)),
    vehicle("c067", "PZOE", w(), edge(ONE, "breach", "lasting"), block(beside(1))),
    vehicle("c068", "ZOM", z("own"), mod(ONE, "move", +4, "round")),
)

_OBJECTS: Final = (
    thing("c069", ANY, h(), fix(ONE, "sight", 20, "round"), flee(ONE, 4)),
    thing("c070", ANY, h(), save(ONE, "any")),
    thing("c071", ANY, x(), save(ONE, "card")),
    thing("c072", "M", z("mover"), block(ONE)),
    thing("c073", "PZOME", b(), edge(doors(1), "door_open", "lasting")),
    thing("c074", "PZOME", d("ajar"), edge(ONE, "wall", "lasting")),
    thing("c075", "PZOME", d("ajar"), edge(ONE, "door_closed", "lasting")),
    thing("c076", ANY, w(), edge(ONE, "breach", "lasting"), kill(beside(1))),
    thing("c077", "PZOM", c(), cell(ONE, "opaque", "round")),
    thing("c078", "PZOME", c("free", "out"), cell(ONE, "impassable", "lasting")),
    thing("c079", ANY, h(), c("free", r(1, 2)), place(ONE, TWO)),
    thing("c080", "PZO", c(), lure(near(1, 5, "Z", "other"), 1, ONE)),
    thing("c081", "PZO", c("in"), lure(near(1, 4, "X"), 2, ONE)),
    thing("c082", "PZOM", x(), mod(ONE, "move", +2, "round")),
    thing("c083", "PZOM", x(), fix(ONE, "move", 0, "round")),
    thing("c084", "PZO", z("other"), c(r(1, 5)), lure(ONE, 3, TWO)),
    thing("c085", "C", h("fight"), combatant(ONE, "leave")),
    thing("c086", ANY, p("other"), look(ONE)),
    thing("c087", "ZOM", z("own"), step(ONE, 2)),
    thing("c088", ANY, h(), z(adj(1)), block(TWO), block(ONE)),
)

_CHARACTERS: Final = (
    character(
        "c089",
        "C",
        z("own", "fight"),
        when("wins", ONE, score(ME, +1)),
        when("loses", ONE, score(ME, -1)),
    ),
    character("c090", "C", h("fight"), mod(ONE, "combat", +2, "combat"), tie(ONE, "win", "combat")),
    character("c091", ANY, h(), z(r(1, 2)), block(TWO)),
    character("c092", ANY, h(), mod(ONE, "combat", +1, "round"), tie(ONE, "win", "round")),
    character("c093", ANY, h("blk"), unblock(ONE)),
    character("c094", "ZO", c("free", "in"), spawn("zombie_ready", ONE)),
    character("c095", "PZOE", c("free", "border"), spawn("zombie_blocked", ONE)),
    character(
        "c096",
        "PZOE",
        c("free", "out"),
        c("free", adj(1)),
        spawn("human", ONE),
        spawn("human", TWO),
    ),
    character("c097", "PZOE", c("free", "border"), spawn("human", ONE)),
    character("c098", "PZOM", b(), edge(doors(1), "door_closed", "round")),
    character(
        "c099", "C", h("fight"), mod(ONE, "combat", +1, "combat"), tie(foes(1), "none", "combat")
    ),
    character("c100", "C", z("own", "fight"), save(ONE, "any")),
    character(
        "c101", "ZOM", z("own"), mod(ONE, "move", +2, "round"), mod(ONE, "combat", +1, "round")
    ),
    character("c102", "C", z("own", "fight"), mod(allies(1), "combat", +1, "combat")),
    character("c103", "C", h("fight"), h(adj(1)), combatant(TWO, "join")),
    character("c104", "C", h("fight", "support"), combatant(ONE, "leave"), step(ONE, 3)),
    character("c105", "ZOM", z("other"), mod(ONE, "move", -3, "round")),
    character("c106", ANY, p("other"), take(ONE)),
    character("c107", "PZO", ban("media", "round"), draw(ME, 1)),
    character("c108", ANY, b(), mod(inside(1, "H"), "combat", +1, "round")),
)

_EVENTS: Final = (
    event("c109", "M", z("mover"), halt(ONE)),
    event("c110", ANY, h(), block(ONE)),
    event("c111", "P", h(), fix(ONE, "move", 0, "round")),
    event("c112", "C", z("own", "fight"), mod(ONE, "combat", +1, "combat")),
    event("c113", "OM", z("own", "spent"), ready(ONE)),
    event("c114", "C", x("fight", "support"), combatant(ONE, "leave")),
    event("c115", "C", z("own", "fight"), tie(ONE, "win", "combat")),
    event("c116", "C", z("fight"), mod(ONE, "combat", -2, "combat")),
    event("c117", ANY, z("other"), kill(ONE), drop(ME, 2)),
    event("c118", "P", h(), mod(ONE, "move", +3, "round")),
    event("c119", "PZO", c(), flee(near(1, 3, "H"), 3)),
    event("c120", "ZOMC", z("own", "blk"), unblock(ONE)),
    event("c121", ANY, w(), edge(ONE, "breach", "lasting")),
    event("c122", ANY, d("ajar"), edge(ONE, "door_closed", "round")),
    event("c123", ANY, d("shut"), edge(ONE, "door_open", "lasting")),
    event("c124", "PZOE", c(), cell(ONE, "impassable", "lasting")),
    event("c125", "PZO", b(), block(inside(1, "X"))),
    event("c126", ANY, c("in"), cell(ONE, "impassable", "round")),
    event("c127", "PZOM", c("out"), mod(near(1, 2, "X"), "move", -2, "round")),
    event("c128", "PZO", fix(every("H", "in"), "sight", 1, "round")),
    event("c129", "ZOE", c("free", "out"), spawn("zombie_blocked", ONE), drop(ME, 1)),
    event("c130", ANY, x(), save(ONE, "any")),
    event("c131", ANY, h(), step(ONE, 2)),
    event("c132", ANY, x(), step(ONE, 1)),
    event("c133", "PZOE", draw(ME, 2)),
    event("c134", "PZOE", drop(EVERYONE, 1), draw(EVERYONE, 1)),
    event("c135", "PZOE", credits_return()),
    event("c136", "PZOE", credits_need(+1)),
    event("c137", ANY, p("other"), drop(ONE, 2)),
    event("c138", "PZOE", drop(ME, 2), draw(ME, 3)),
    event("c139", "ZO", z("own"), c("free", r(1, 3)), place(ONE, TWO)),
    event("c140", "C", h("fight"), mod(allies(1), "combat", +1, "combat")),
)

CARDS: Final[dict[str, Card]] = {
    each.id: each
    for each in (
        *_END_CREDITS,
        *_WEATHER,
        *_MEDIA,
        *_FIREARMS,
        *_WEAPONS,
        *_VEHICLES,
        *_OBJECTS,
        *_CHARACTERS,
        *_EVENTS,
    )
}
"""All cards by id, in the order of the deck's table."""
