"""What starts, supervises, measures and breaks the rest; nothing but tests imports it."""
