"""Golden questions and the runs that ask them."""

from evaluation.admin import golden, runs

__all__ = ["golden", "runs"]
