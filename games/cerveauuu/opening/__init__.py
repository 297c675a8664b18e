"""How a game of Cerveauuu! begins (pure)."""
