"""What Cerveauuu! is made of: ids, state, agenda, codes and the language of its cards (pure)."""
