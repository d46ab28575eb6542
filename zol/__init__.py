"""The project: settings, URLs, and what all apps share."""

import os

# Set before numpy is imported, which reads it once. Turns run in parallel already; a second thread
# for a matrix product would busy-wait on a whole core.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

__version__ = "2.0.0"
