"""In any order of steps, the live version is complete and no author has approved it."""

import os
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from taxonomy.models import Alias, Entity, LivePointer, PublishedRelation, Relation, Release
from taxonomy.models.releases import AFTER_APPROVAL, ReleaseOrigin, ReleaseState
from taxonomy.publishing import approval, going_live
from taxonomy.publishing.content import Content, content_of
from taxonomy.publishing.live import forget_snapshots, live_snapshot
from taxonomy.vocabulary import Kind, Predicate
from tests import factories
from tests.taxonomy.releases import previewed
from tests.zol.staff import member
from zol.errors import StepRefused
from zol.models import Role
from zol.tenancy import acting

pytestmark = pytest.mark.django_db
EXAMPLES = 25 if os.environ.get("SOAK") else 10
QUIET = settings(
    max_examples=EXAMPLES,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
KINDS = (Kind.CAMPUS, Kind.DEPARTMENT, Kind.DOCTOR, Kind.CONDITION)
JOINS = {
    (Kind.DOCTOR, Kind.DEPARTMENT): Predicate.WORKS_IN,
    (Kind.DOCTOR, Kind.CAMPUS): Predicate.LOCATED_AT,
    (Kind.DEPARTMENT, Kind.CAMPUS): Predicate.LOCATED_AT,
    (Kind.DEPARTMENT, Kind.CONDITION): Predicate.HANDLES,
}
PEOPLE = ("anna", "bert", "carla")


@dataclass
class House:
    """A hospital in which staff do things; it remembers by itself who had a hand in what."""

    hospital: Any
    people: dict[str, Any]
    entities: list[Entity] = field(default_factory=list)
    #: Who edited, in order; and how many edits there were when a version was frozen.
    edits: list[str] = field(default_factory=list)
    frozen_after: dict[int, int] = field(default_factory=dict)
    #: What was live, as it was when it went live.
    seen: dict[int, tuple[Content, Any]] = field(default_factory=dict)
    rows: list[int] = field(default_factory=list)

    def edit(self, who: str, place: int, act: str) -> None:
        with acting(self.people[who]):
            if self._edit(place, act):
                self.edits.append(who)

    def _edit(self, place: int, act: str) -> bool:
        if act == "add" or not self.entities:
            kind = KINDS[place % len(KINDS)]
            name = f"{kind} {len(self.edits)}"
            more = {"last_name": name} if kind is Kind.DOCTOR else {}
            self.entities.append(factories.entity(self.hospital, kind, name, **more))
            return True
        one = self.entities[place % len(self.entities)]
        other = self.entities[(place // 3) % len(self.entities)]
        return bool(getattr(self, f"_{act}")(one, other))

    def _hide(self, one: Entity, _: Entity) -> bool:
        active = Entity.objects.filter(pk=one.pk, status=Entity.Status.ACTIVE)
        return bool(active.update(status=Entity.Status.HIDDEN))

    def _remove(self, one: Entity, _: Entity) -> bool:
        self.entities.remove(one)
        Entity.objects.filter(pk=one.pk).delete()
        return True

    def _name(self, one: Entity, _: Entity) -> bool:
        text = f"woord {len(self.edits)}"
        return bool(Alias.objects.create(entity=one, text=text))

    def _relate(self, one: Entity, other: Entity) -> bool:
        predicate = JOINS.get((Kind(one.kind), Kind(other.kind)))
        if predicate is None:
            return False
        _row, is_new = Relation.objects.get_or_create(
            predicate=predicate, subject=one, object=other, hospital=self.hospital,
            defaults={"subject_kind": one.kind, "object_kind": other.kind},
        )  # fmt: skip
        return is_new

    def step(self, who: str, place: int, act: str) -> None:
        """Try a step; whatever is refused is refused."""
        by = self.people[who]
        found = list(Release.objects.filter(origin=ReleaseOrigin.RELEASE).order_by("pk"))
        with suppress(StepRefused):
            if act == "open" or not found:
                approval.open_release(by=by, title="x")
                return
            release = found[place % len(found)]
            if act == "publish":
                going_live.publish_release(release, by=by)
            elif act == "activate":
                going_live.activate(release.version, by=by, why="terug") if release.version else 0
            elif act == "approve":
                approval.approve(previewed(release) if release.version else release, by=by)
            elif act == "reject":
                approval.reject(release, by=by, reason="nee")
            else:
                getattr(approval, act)(release, by=by)
            release.refresh_from_db()
            if act == "submit":
                self.frozen_after[release.version_id] = len(self.edits)

    def cycle(self, who: str, place: int, disturbed: str) -> None:
        """Bring the newest release as far as it may go; somebody may edit between two steps."""
        judge, publisher = PEOPLE[place % 3], PEOPLE[(place // 3) % 3]
        self.step(who, 0, "open")
        newest = Release.objects.filter(origin=ReleaseOrigin.RELEASE).count() - 1
        for name, act in ((who, "submit"), (judge, "approve"), (publisher, "publish")):
            if act == disturbed:
                self.edit(judge, place, "add")
            self.step(name, newest, act)

    def hands_in(self, release: Release) -> set[str]:
        """Return who edited what the release may contain, by our own books."""
        since = self.frozen_after.get(release.base_id, 0) if release.base_id else 0
        return set(self.edits[since : self.frozen_after[release.version_id]])


ACTS = st.one_of(
    st.tuples(
        st.just("cycle"),
        st.sampled_from(PEOPLE),
        st.integers(0, 8),
        st.sampled_from(["submit", "approve", "publish", ""]),
    ),
    st.tuples(
        st.just("edit"),
        st.sampled_from(PEOPLE),
        st.integers(0, 30),
        st.sampled_from(["add", "add", "hide", "remove", "name", "relate", "relate"]),
    ),
    st.tuples(
        st.just("step"),
        st.sampled_from(PEOPLE),
        st.integers(0, 5),
        st.sampled_from(
            ["open", "submit", "submit", "approve", "approve", "approve", "publish", "publish",
             "take_back", "reject", "activate"]
        ),
    ),
)  # fmt: skip


def assert_whole(house: House) -> None:
    pointer = LivePointer.objects.select_related("version").first()
    if pointer is None:
        return
    version, content = pointer.version, content_of(pointer.version)
    assert content.dangling() == ()
    for row in PublishedRelation.objects.filter(version=version).select_related(
        "subject", "object"
    ):
        assert row.subject.version_id == row.object.version_id == version.pk
    forget_snapshots()
    snapshot = live_snapshot()
    things = set(snapshot.vocabulary.things)
    assert all({fact.subject, fact.object} <= things for fact in snapshot.vocabulary.relations)
    before = house.seen.setdefault(version.pk, (content, snapshot.vocabulary.things))
    assert before == (content, snapshot.vocabulary.things)
    assert Release.objects.get(state=ReleaseState.PUBLISHED).version_id == version.pk


def assert_approved_by_another(house: House) -> None:
    names = {user.pk: name for name, user in house.people.items()}
    for release in Release.objects.filter(origin=ReleaseOrigin.RELEASE):
        if release.state in AFTER_APPROVAL:
            assert release.approved_by_id is not None
        if release.approved_by_id is not None:
            approver = names[release.approved_by_id]
            assert approver != names[release.submitted_by_id]
            assert approver not in house.hands_in(release)


@pytest.mark.soak
def test_whatever_staff_do_what_is_live_is_whole_and_approved_by_another(hospital):
    #: How many versions each example has seen live: examples that publish nothing show nothing.
    reached: list[int] = []

    @QUIET
    @given(acts=st.lists(ACTS, min_size=12, max_size=40))
    def whatever_staff_do(acts):
        with transaction.atomic():
            house = House(
                hospital, {name: member(hospital, Role.OPERATOR, username=name) for name in PEOPLE}
            )
            for act, who, place, what in acts:
                getattr(house, act)(who, place, what)
                assert_whole(house)
                assert_approved_by_another(house)
            reached.append(len(house.seen))
            transaction.set_rollback(True)

    whatever_staff_do()
    assert sum(reached) >= 0.8 * EXAMPLES, reached
