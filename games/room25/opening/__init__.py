"""How a game of Room 25 begins: set up, cast, or laid out as a situation (pure)."""
