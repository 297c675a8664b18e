"""Games of Cerveauuu! for trials: house bots against one another."""
