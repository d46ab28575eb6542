"""The project: wiring, and the little that every app shares."""

import os

# Before numpy is imported, which reads it once: a process computes by turns that are many already,
# and a second thread for one product of matrices spins for the next one on a whole core.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

__version__ = "2.0.0"
