"""The benchmarks, one module for each target; ``bench`` runs them."""
