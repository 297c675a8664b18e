"""The table, for any game: seats, readiness, clocks, absence, resignation, directors (pure)."""
