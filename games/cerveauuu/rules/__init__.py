"""The rules of Cerveauuu! (pure)."""
