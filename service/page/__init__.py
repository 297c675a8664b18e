"""The page for people: its files, its addresses, and what other sites show of it."""
