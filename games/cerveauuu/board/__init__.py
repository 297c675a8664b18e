"""The board of Cerveauuu!: maps, steps, distances, sight, flight and panic as numbers (pure).

Cells are numbers ``y * width + x`` in here; ids are read and made at the rim, by a ``Grid``.
"""

from games.cerveauuu.board.defaults import default_grid
from games.cerveauuu.board.flights import Flight, flight
from games.cerveauuu.board.grid import Grid
from games.cerveauuu.board.map_text import EdgeState, MapText, parse_map, print_map
from games.cerveauuu.board.maps import DEFAULT20, MAPS
from games.cerveauuu.board.panic import (
    MidRun,
    PanicPlan,
    PlanMoment,
    PlanStep,
    at_anchor,
    at_end,
    panic_plan,
    panic_queue,
)
from games.cerveauuu.board.pawns import Pawn, Reading, barred_for, settle
from games.cerveauuu.board.steps import FAR
from games.cerveauuu.board.walks import Reach, lure, reachable

__all__ = [
    "DEFAULT20",
    "FAR",
    "MAPS",
    "EdgeState",
    "Flight",
    "Grid",
    "MapText",
    "MidRun",
    "PanicPlan",
    "Pawn",
    "PlanMoment",
    "PlanStep",
    "Reach",
    "Reading",
    "at_anchor",
    "at_end",
    "barred_for",
    "default_grid",
    "flight",
    "lure",
    "panic_plan",
    "panic_queue",
    "parse_map",
    "print_map",
    "reachable",
    "settle",
]
