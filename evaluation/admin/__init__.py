"""Golden questions, the runs that ask them, and what failed patients."""

from evaluation.admin import questions, runs  # noqa: F401  (they register themselves)
