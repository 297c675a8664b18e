"""What happens in a game of Cerveauuu!, and how it is recorded (pure)."""
