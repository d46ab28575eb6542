"""A release goes from draft to patients: frozen, approved by a colleague, published as a whole."""

from datetime import timedelta

import pytest
from django.core import mail
from django.db import IntegrityError, transaction
from django.utils import timezone, translation

from chat.models import FixedText
from taxonomy.models import Entity, LivePointer, PublishedEntity, Release
from taxonomy.models.releases import ReleaseState
from taxonomy.publishing import approval, going_live
from taxonomy.publishing.differences import changes_of, pending
from taxonomy.publishing.live import draft_snapshot, live_snapshot, recheck_live_versions
from taxonomy.publishing.versions import live_version, publish
from taxonomy.vocabulary import Kind, Predicate
from tests import factories
from tests.taxonomy.releases import approved, approver, author, previewed, somebody, submitted
from tests.zol.staff import member
from zol.errors import StepRefused
from zol.models import AuditEntry, Edit, Role
from zol.tenancy import acting

pytestmark = pytest.mark.django_db
What = AuditEntry.What


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


def names():
    recheck_live_versions(live_version().hospital_id)  # No commit announces it in these tests.
    return {thing.name for thing in live_snapshot().vocabulary.of_kind(Kind.DEPARTMENT)}


def test_it_goes_from_draft_to_patients(live):
    release = approval.open_release(by=author(live), title="Geriatrie erbij")
    release = previewed(approval.submit(release, by=author(live)))
    release = approval.approve(release, by=approver(live))
    assert names() == {"Cardiologie"}

    version = going_live.publish_release(release, by=approver(live))

    assert names() == {"Cardiologie", "Geriatrie"}
    assert live_version() == version
    states = Release.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == [ReleaseState.SUPERSEDED, ReleaseState.PUBLISHED]


def test_what_was_approved_goes_live_whatever_happens_to_the_draft_meanwhile(live):
    release = approved(live)
    factories.entity(live, Kind.DEPARTMENT, "Nooit bekeken")

    going_live.publish_release(release, by=approver(live))

    assert names() == {"Cardiologie", "Geriatrie"}
    assert [item.name for item in pending(live).section("department").items] == ["Nooit bekeken"]


@pytest.mark.parametrize("as_submitter", [True, False], ids=["submitted it", "edited something"])
def test_who_had_a_hand_in_it_does_not_approve(live, as_submitter):
    judge = author(live) if as_submitter else approver(live)
    with acting(judge):
        Entity.objects.filter(name="Geriatrie").update(url="https://ziekenhuis.test/ger")
    release = submitted(live)

    with pytest.raises(StepRefused, match="a colleague must approve"):
        approval.approve(release, by=judge)

    release.refresh_from_db()
    assert release.state == ReleaseState.IN_REVIEW
    third = somebody(live, Role.OPERATOR, "carla")
    assert approval.approve(release, by=third).state == ReleaseState.APPROVED


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(lambda row: row.aliases.create(text="ouderen"), id="an alias"),
        pytest.param(lambda row: Entity.objects.get(name="Cardiologie").delete(), id="a removal"),
        pytest.param(
            lambda row: FixedText.objects.bulk_create(
                [FixedText(hospital_id=row.hospital_id, kind="x", language="nl", text="Hallo")]
            ),
            id="rows in bulk",
        ),
        pytest.param(
            lambda row: type(row.hospital).objects.filter(pk=row.hospital_id).update(phone="1"),
            id="the hospital's telephone",
        ),
    ],
)
def test_every_sort_of_edit_is_somebodys(live, edit):
    row = Entity.objects.get(name="Geriatrie")
    with acting(approver(live)):
        edit(row)

    assert approver(live).pk in submitted(live).authors


def test_an_edit_after_it_was_frozen_is_not_in_it(live):
    release = submitted(live)
    with acting(approver(live)):
        factories.entity(live, Kind.DEPARTMENT, "Later")

    assert approval.approve(release, by=approver(live)).state == ReleaseState.APPROVED


#: What a submitted release cannot become: for `anna`, who wrote it, and `bert`, her colleague.
IMPOSSIBLE = {
    "without authors": {"authors": []},
    "without its content": {"version": None},
    "approved by its author": {"state": ReleaseState.APPROVED, "approved_by": "anna",
                               "approved_at": timezone.now()},
    "with an author's reason for what it breaks": {"broken": 1, "broken_by": "anna"},
    "published unapproved": {"state": ReleaseState.PUBLISHED},
    "urgent by nobody": {"state": ReleaseState.PUBLISHED, "urgent_reason": "Haast"},
    "urgent before it is live": {"urgent_by": "bert", "urgent_reason": "Haast"},
    "looked at though it was not urgent": {"reviewed_by": "bert"},
}  # fmt: skip


@pytest.mark.parametrize("change", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_the_database_itself_refuses_a_release(live, change):
    release, people = submitted(live), {"anna": author(live), "bert": approver(live)}
    values = {name: people.get(said, said) if isinstance(said, str) else said
              for name, said in change.items()}  # fmt: skip

    with pytest.raises(IntegrityError), transaction.atomic():
        Release.objects.filter(pk=release.pk).update(**values)


@pytest.mark.parametrize(
    ("before", "after"),
    [(ReleaseState.IN_REVIEW, ReleaseState.APPROVED), (ReleaseState.APPROVED, ReleaseState.SCHEDULED),
     (ReleaseState.APPROVED, ReleaseState.PUBLISHED)],
)  # fmt: skip
@pytest.mark.parametrize(
    "known",
    [
        pytest.param({"previewed_at": None, "broken": None}, id="no preview"),
        pytest.param({"broken": 2}, id="no reason"),
        pytest.param({"broken": 2, "broken_reason": "x"}, id="a reason of nobody"),
    ],
)
def test_the_database_itself_lets_nothing_pass_that_was_not_previewed(live, before, after, known):
    release = submitted(live) if before == ReleaseState.IN_REVIEW else approved(live)
    Release.objects.filter(pk=release.pk).update(**known)
    who = {"approved_by": approver(live), "approved_at": timezone.now()}
    due = {"goes_live_at": timezone.now(), "scheduled_by": approver(live)}

    with pytest.raises(IntegrityError), transaction.atomic():
        Release.objects.filter(pk=release.pk).update(state=after, **who, **due)


def test_a_preview_does_not_outlive_what_was_previewed(live):
    release = submitted(live)
    taken = approval.take_back(release, by=author(live))
    Release.objects.filter(pk=release.pk).update(previewed_at=timezone.now(), broken=0)

    again = approval.submit(taken, by=author(live))

    again.refresh_from_db()
    assert not again.is_previewed


def test_the_database_itself_refuses_a_pointer_to_what_was_not_published(live):
    release = approved(live)

    with pytest.raises(IntegrityError), transaction.atomic():
        LivePointer.objects.update(version=release.version)


def test_a_curator_neither_approves_nor_publishes(live):
    curator = member(live, Role.CURATOR)
    release = submitted(live)

    for step in (
        lambda: approval.approve(release, by=curator),
        lambda: approval.reject(release, by=curator, reason="nee"),
        lambda: going_live.publish_release(approved(live), by=curator),
        lambda: going_live.activate(live_version(), by=curator, why="zomaar"),
    ):
        with pytest.raises(StepRefused, match="Your roles"):
            step()


def test_what_was_submitted_anew_is_looked_at_anew(live):
    release = submitted(live)
    seen = release.version.number
    approval.submit(approval.take_back(release, by=author(live)), by=author(live))

    with pytest.raises(StepRefused, match="submitted again"):
        approval.approve(release, by=approver(live), seen=seen)


def test_a_release_that_would_undo_another_is_refused(live):
    first, second = submitted(live, "Een"), submitted(live, "Twee")
    for release in (first, second):
        approval.approve(release, by=approver(live))
    going_live.publish_release(first, by=approver(live))

    with pytest.raises(StepRefused, match="went live after"):
        going_live.publish_release(second, by=approver(live))

    with pytest.raises(StepRefused, match="no longer possible"):
        going_live.publish_release(first, by=approver(live))


def test_a_rejection_needs_a_reason_and_who_can_act_gets_an_email(
    hospital, django_capture_on_commit_callbacks
):
    factories.entity(hospital, Kind.DEPARTMENT, "Cardiologie")
    for person in (author(hospital), approver(hospital)):
        person.email = f"{person.username}@ziekenhuis.test"
        person.save()
    with django_capture_on_commit_callbacks(execute=True):
        release = submitted(hospital, "Eerste artsen")
        with pytest.raises(StepRefused, match="Write why"):
            approval.reject(release, by=approver(hospital), reason="  ")
        approval.reject(release, by=approver(hospital), reason="De telefoon klopt niet")

    release.refresh_from_db()
    assert (release.state, release.reason) == (ReleaseState.REJECTED, "De telefoon klopt niet")
    asked, answered = mail.outbox
    assert (asked.to, answered.to) == (["bert@ziekenhuis.test"], ["anna@ziekenhuis.test"])
    assert "Eerste artsen" in asked.subject
    assert f"/admin/taxonomy/release/{release.pk}/change/" in asked.body
    assert "De telefoon klopt niet" in answered.body


def test_it_goes_live_when_its_time_has_come(live):
    soon = timezone.now() + timedelta(hours=1)
    with pytest.raises(StepRefused, match="has passed"):
        going_live.schedule(approved(live, "Te laat"), by=approver(live), at=timezone.now())
    release = going_live.schedule(approved(live), by=approver(live), at=soon)

    assert going_live.publish_due() == []
    assert names() == {"Cardiologie"}
    assert going_live.publish_due(now=soon) == [release]
    assert names() == {"Cardiologie", "Geriatrie"}


def test_a_schedule_that_no_longer_fits_is_refused_and_said(live):
    soon = timezone.now() + timedelta(hours=1)
    late = going_live.schedule(approved(live, "Laat"), by=approver(live), at=soon)
    going_live.publish_release(approved(live, "Eerst"), by=approver(live))

    going_live.publish_due(now=soon)

    late.refresh_from_db()
    assert late.state == ReleaseState.APPROVED
    assert "went live after" in AuditEntry.objects.get(what=What.REFUSED).why


def test_nothing_is_approved_before_its_preview_has_finished(live):
    release = submitted(live, is_previewed=False)

    with pytest.raises(StepRefused, match="is not finished"):
        approval.approve(release, by=approver(live))

    assert approval.approve(previewed(release), by=approver(live)).state == ReleaseState.APPROVED


def test_what_breaks_golden_questions_needs_the_reason_of_a_colleague(live):
    release = previewed(submitted(live, is_previewed=False), broken=2)
    with pytest.raises(StepRefused, match="2 golden questions would fail"):
        approval.approve(release, by=approver(live))

    release = approval.approve(release, by=approver(live), comment="De vragen zijn verouderd")
    going_live.publish_release(release, by=author(live), reason="Mag ik ook iets zeggen?")

    release.refresh_from_db()
    assert (release.broken_reason, release.broken_by) == (
        "De vragen zijn verouderd",
        approver(live),
    )


@pytest.mark.parametrize("later", [False, True], ids=["now", "later"])
def test_what_breaks_only_after_the_approval_needs_the_reason_of_a_colleague_too(live, later):
    release = previewed(approved(live), broken=1)

    def go(by, reason):
        if later:
            soon = timezone.now() + timedelta(hours=1)
            return going_live.schedule(release, by=by, at=soon, reason=reason)
        return going_live.publish_release(release, by=by, reason=reason)

    with pytest.raises(StepRefused, match="a colleague must write why"):
        go(author(live), "Ik weet het zelf wel")
    with pytest.raises(StepRefused, match="1 golden questions would fail"):
        go(approver(live), " ")
    go(approver(live), "Dat klopt zo")

    release.refresh_from_db()
    assert release.broken_by == approver(live)


def test_a_scheduled_release_that_breaks_by_then_does_not_go_live(live):
    soon = timezone.now() + timedelta(hours=1)
    release = going_live.schedule(approved(live), by=approver(live), at=soon)
    previewed(release, broken=1)

    going_live.publish_due(now=soon)

    release.refresh_from_db()
    assert release.state == ReleaseState.APPROVED
    assert names() == {"Cardiologie"}


def urgently(hospital, by=None, reason="Het spoednummer was fout"):
    release = submitted(hospital, is_previewed=False)
    with acting(by or author(hospital)):
        going_live.publish_urgently(release, by=by or author(hospital), reason=reason)
    release.refresh_from_db()
    return release


def test_what_cannot_wait_is_published_by_one_person_with_a_reason(
    live, django_capture_on_commit_callbacks
):
    bert = approver(live)
    bert.email = "bert@example.org"
    bert.save()

    with django_capture_on_commit_callbacks(execute=True):
        release = urgently(live)

    assert names() == {"Cardiologie", "Geriatrie"}
    assert (release.state, release.is_unreviewed) == (ReleaseState.PUBLISHED, True)
    assert mail.outbox[-1].to == ["bert@example.org"]
    assert "Het spoednummer was fout" in mail.outbox[-1].body
    assert AuditEntry.objects.filter(
        what=What.PUBLISHED, who="anna", why="Urgent: Het spoednummer was fout"
    ).exists()


def test_nothing_is_published_urgently_without_a_reason_or_by_a_curator(live):
    with pytest.raises(StepRefused, match="Write why it cannot wait"):
        urgently(live, reason="  \n")
    waiting = Release.objects.get(state=ReleaseState.IN_REVIEW)
    with pytest.raises(StepRefused, match="do not include this step"):
        going_live.publish_urgently(waiting, by=member(live, Role.CURATOR), reason="Haast")

    assert names() == {"Cardiologie"}


def test_a_colleague_looks_at_what_was_urgent_and_nobody_else_does(live):
    release = urgently(live)

    for by, remark, said in (
        (author(live), "Goed", "colleague must approve"),
        (approver(live), " ", "what you checked"),
    ):
        with pytest.raises(StepRefused, match=said):
            going_live.review(release, by=by, remark=remark)
    going_live.review(release, by=approver(live), remark="Nagebeld: het nummer klopt")

    release.refresh_from_db()
    assert (release.is_unreviewed, release.reviewed_by) == (False, approver(live))


def test_a_second_urgent_publication_waits_for_the_look_at_an_old_one(live):
    first = urgently(live)
    Release.objects.filter(pk=first.pk).update(published_at=timezone.now() - timedelta(days=2))
    factories.entity(live, Kind.DEPARTMENT, "Pediatrie")

    with pytest.raises(StepRefused, match="review that one first"):
        urgently(live)
    going_live.review(first, by=approver(live), remark="Gezien")
    waiting = Release.objects.get(state=ReleaseState.IN_REVIEW)
    going_live.publish_urgently(waiting, by=author(live), reason="Nog een nummer")

    assert "Pediatrie" in names()


def test_what_was_urgent_is_previewed_afterwards_whatever_breaks(live):
    release = previewed(urgently(live), broken=2)

    assert (release.state, release.broken) == (ReleaseState.PUBLISHED, 2)


def test_a_preview_of_something_else_is_not_kept(live):
    release = submitted(live)

    with pytest.raises(StepRefused, match="submitted again"):
        approval.keep_preview(release, {}, broken=0, seen=release.version.number + 1)


def test_a_release_can_be_asked_before_anybody_publishes_it(live):
    draft = approval.open_release(by=author(live), title="Proef")
    before = draft_snapshot()
    frozen = approval.snapshot_of_release(approval.submit(draft, by=author(live)))

    for snapshot in (before, frozen):
        found = {thing.name for thing in snapshot.vocabulary.of_kind(Kind.DEPARTMENT)}
        assert found == {"Cardiologie", "Geriatrie"}
    assert names() == {"Cardiologie"}


def test_going_back_is_one_step_to_what_was_live_and_deletes_nothing(live):
    first, release = live_version(), approved(live)
    with pytest.raises(StepRefused, match="was never live"):
        going_live.activate(release.version, by=approver(live), why="Snel")
    second = going_live.publish_release(release, by=approver(live))

    going_live.activate(first, by=approver(live), why="Foute telefoon")

    assert names() == {"Cardiologie"}
    assert PublishedEntity.objects.filter(version=second, name="Geriatrie").exists()
    going_live.activate(second, by=approver(live), why="Toch goed")
    assert names() == {"Cardiologie", "Geriatrie"}


def test_the_differences_name_fields_words_and_relations(live):
    doctor = factories.entity(live, Kind.DOCTOR, "Ann Peeters", last_name="Peeters")
    department = Entity.objects.get(name="Cardiologie").department
    department.phone = "089 11"
    department.save()
    department.aliases.create(text="hartdienst")
    factories.relate(doctor, Predicate.WORKS_IN, department)

    found = changes_of(submitted(live))

    [cardiology] = [i for i in found.section("department").items if i.name == "Cardiologie"]
    assert {(f.field, f.before, f.after) for f in cardiology.changes} == {
        ("telephone", "", "089 11"),
        ("other word", "", "hartdienst (nl, synonym)"),
    }
    assert [item.name for item in found.section("relation").items] == [
        "Ann Peeters works in Cardiologie"
    ]


def test_the_hospital_itself_is_published_with_its_campuses(hospital):
    campus = factories.entity(hospital, Kind.CAMPUS, "Sint-Jan")
    itself = Entity.objects.create(hospital=hospital, kind=Kind.HOSPITAL, key="zt", name="ZT")
    factories.relate(campus, Predicate.BELONGS_TO, itself)
    factories.relate(itself, Predicate.HAS_CAMPUS, campus)
    publish(hospital, by=None)
    type(hospital).objects.filter(pk=hospital.pk).update(phone="089 99 99 99")

    snapshot = live_snapshot()
    thing = snapshot.vocabulary.get(Kind.HOSPITAL, hospital.slug)

    assert [campus.name for campus in snapshot.vocabulary.objects(thing, Predicate.HAS_CAMPUS)] == [
        "Sint-Jan"
    ]
    assert snapshot.profile.phone == "089 00 00 00"
    [change] = pending(hospital).section("hospital").items
    assert [(f.field, f.after) for f in change.changes] == [("telephone", "089 99 99 99")]


def test_every_step_is_in_the_audit_log_which_nobody_changes(live):
    going_live.publish_release(approved(live), by=approver(live))

    steps = list(AuditEntry.objects.order_by("pk").values_list("what", "who"))

    assert steps[-5:] == [
        (What.OPENED, "anna"),
        (What.SUBMITTED, "anna"),
        (What.PREVIEWED, ""),
        (What.APPROVED, "bert"),
        (What.PUBLISHED, "bert"),
    ]
    for rows in (AuditEntry.objects, Edit.objects):
        with pytest.raises(Exception, match="permission denied"), transaction.atomic():
            rows.all().delete()
