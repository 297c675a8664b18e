"""What happens in Room 25, and how it is recorded in the state (pure)."""
