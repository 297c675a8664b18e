"""Writers of what is generated for Cerveauuu!."""
