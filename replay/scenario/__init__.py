"""Acceptance scenarios as data: their format, and how they are played and judged."""
