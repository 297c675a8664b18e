"""How Room 25 is told: described, drawn, put into sentences, published (pure)."""
