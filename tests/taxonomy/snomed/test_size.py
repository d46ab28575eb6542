"""A synthetic release loads with its closure, in bounded time and memory; the whole size in `make soak`."""

from __future__ import annotations

import os
import resource
from time import perf_counter

import pytest

from taxonomy.models import SnomedIsA
from tests.taxonomy.snomed.releases import load
from tests.taxonomy.snomed.synthetic import Size, write_release

pytestmark = pytest.mark.django_db
WHOLE = Size()
SECONDS, MEBIBYTES = 360, 2_048


#: The whole size takes minutes: `make soak`.
SIZES = {False: (Size(3_000, 6_000, 10_000), 10_000), True: (WHOLE, 4_700_000)}


@pytest.mark.soak
@pytest.mark.parametrize(("size", "pairs"), [SIZES["SOAK" in os.environ]])
def test_a_release_loads_twice_alike(tmp_path, size, pairs):
    write_release(tmp_path, size)

    for _ in range(2):
        started = perf_counter()
        counts = load(tmp_path, again=True).release.counts
        seconds = perf_counter() - started

        assert counts["concepts"] == size.concepts
        assert counts["descriptions"] == size.descriptions
        assert counts["relationships"] == size.relationships
        assert counts["closure"] == SnomedIsA.objects.count() >= pairs
        assert seconds <= SECONDS
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 <= MEBIBYTES


def test_the_same_seed_gives_the_same_release(tmp_path):
    size = Size(50, 80, 120)
    for name in ("one", "two"):
        write_release(tmp_path / name, size, seed=4)

    one, two = (
        {p.name: p.read_bytes() for p in (tmp_path / n).rglob("*.txt")} for n in ("one", "two")
    )
    assert one == two
