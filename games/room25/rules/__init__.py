"""How Room 25 is played: turns, actions, rooms, abilities, robots and cards (pure)."""
