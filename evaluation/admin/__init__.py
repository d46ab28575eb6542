"""Admin of golden questions, evaluation runs and failed answers."""

from evaluation.admin import previews, questions, runs  # noqa: F401  (they register themselves)
