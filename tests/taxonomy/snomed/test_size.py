"""A synthetic release loads with its closure, in bounded time and memory; the whole size in `make soak`."""

import os
import resource
from collections import defaultdict
from time import perf_counter

import pytest

from taxonomy.models import SnomedIsA, SnomedRelationship
from taxonomy.snomed.loading import IS_A
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

    for edition in ("first", "second"):
        started = perf_counter()
        counts = load(tmp_path, edition=edition).counts
        seconds = perf_counter() - started

        assert counts["concepts"] == size.concepts
        assert counts["descriptions"] == size.descriptions
        assert counts["relationships"] == size.relationships
        assert counts["closure"] == SnomedIsA.objects.count() >= pairs
        assert seconds <= SECONDS
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 <= MEBIBYTES


def test_the_closure_is_what_a_search_upwards_from_each_concept_finds(tmp_path):
    write_release(tmp_path, Size(60, 80, 140), seed=2)
    load(tmp_path)
    above = defaultdict(set)
    for child, parent in SnomedRelationship.objects.filter(type=IS_A).values_list(
        "source", "destination"
    ):
        above[child].add(parent)

    expected = set()
    for concept in list(above):
        reached, now, distance = {concept}, {concept}, 0
        while now := set().union(*(above[each] for each in now)) - reached:
            reached, distance = reached | now, distance + 1
            expected |= {(each, concept, distance) for each in now}

    assert set(SnomedIsA.objects.values_list("ancestor", "descendant", "distance")) == expected
