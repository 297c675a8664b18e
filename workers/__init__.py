"""The jobs, and the clock that feeds them."""
