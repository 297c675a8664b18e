"""The benchmarks, one module for each target; ``ops.bench`` runs them."""
