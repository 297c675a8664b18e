"""What Room 25 is made of: the board, the catalogue, the state and the agenda (pure)."""
