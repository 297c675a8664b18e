"""What Cerveauuu! tells people: drawings, sentences, and what is published of it (pure)."""
