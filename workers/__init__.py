"""The clock and the background jobs that it hands out."""
