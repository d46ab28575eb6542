"""One thread computes a product of matrices: a second one would spin for the next."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

ASKED = """
import zol, numpy, scipy.linalg
from threadpoolctl import threadpool_info
print(*(each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"))
"""


def threads_of_blas(**environment: str) -> set[str]:
    """How many threads each library of linear algebra has, in a process that has just started."""
    kept = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    found = subprocess.run(
        [sys.executable, "-c", ASKED],
        env=kept | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(found.stdout.split())


def test_a_process_computes_products_in_the_thread_that_asks() -> None:
    assert threads_of_blas() == {"1"}


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="there is no second core to be given")
def test_who_runs_it_may_say_otherwise() -> None:
    assert threads_of_blas(OPENBLAS_NUM_THREADS="2") == {"2"}
