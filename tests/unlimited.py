"""Whoever tampers with a store, or looks into it, may do more than the service."""

from __future__ import annotations

from events import rights


def unlimited(url: str) -> str:
    """The URL of one of our stores as the user who may do everything."""
    return url.replace(f"{rights.USER}@", "", 1)
