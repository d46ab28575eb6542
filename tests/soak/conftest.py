"""Tables of faults, before and after: minutes each, so only `make soak` prints them."""

import os

collect_ignore_glob = [] if os.environ.get("SOAK") else ["test_*.py"]
