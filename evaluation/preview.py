"""Replay questions on a release, to show what it would change for patients (spec 01).

The whole pipeline answers golden questions and the most recent real ones twice: from the live
version and from the release's frozen content. Each result is stored at once, so a killed worker
loses nothing; asking a question twice changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.models import Message
from chat.services import history_of
from chat.wiring import MODEL
from evaluation.golden import Case, EarlierTurn, stored_cases
from evaluation.interview import Interview, evidence_in, outcome_of
from evaluation.metrics import measure
from evaluation.models import Preview, PreviewItem
from evaluation.scores import failings
from taxonomy.models import Release
from taxonomy.models.releases import ReleaseState
from taxonomy.publishing.approval import keep_preview, snapshot_of_release
from taxonomy.publishing.live import answering_from, live_snapshot, load_snapshot
from taxonomy.snapshot import Snapshot
from zol.errors import BadInput, ExpectedError, StepRefused
from zol.tenancy import required_hospital_id

#: Number of real questions to replay.
RECENT = 200
#: Time without a new result after which a preview's worker counts as dead.
LOST = timedelta(seconds=60)
PREVIEWED = (ReleaseState.IN_REVIEW, ReleaseState.APPROVED, ReleaseState.SCHEDULED)
#: States of releases that need a preview: neither rejected nor withdrawn.
WAITED_FOR = Q(state__in=PREVIEWED) | Q(urgent_by__isnull=False, reviewed_by=None)
#: Kinds of changes, the worst first.
KINDS = ("behaviour", "routing", "evidence", "answer")
#: A replayed answer must not come from the cache, nor cost a model.
FLAGS = {"cache": False, MODEL: False}
#: Lines of evidence that only one side has, stored at most.
MOST_LINES = 12


def start_preview(release: Release) -> Preview:
    """Start the replay of a submitted release, or return the one that is running."""
    is_due = release.state in PREVIEWED or release.is_unreviewed
    if not is_due or release.version is None:
        raise BadInput(
            _("Submit the release first: the preview tests the version that is frozen then.")
        )
    recent = Message.objects.filter(state=Message.State.FINISHED, cached=False)
    messages = list(recent.order_by("-created_at").values_list("pk", flat=True)[:RECENT])
    running = {"release": release, "seen": release.version.number, "state": Preview.State.RUNNING}
    try:
        with transaction.atomic():
            return Preview.objects.create(
                hospital_id=required_hospital_id(),
                messages=[str(pk) for pk in messages],
                total=len(stored_cases()) + len(messages),
                **running,
            )
    except IntegrityError:
        return Preview.objects.get(**running)


def replay(preview: Preview) -> Preview:
    """Ask every question that has no result yet, and store the report with the release."""
    if preview.state != Preview.State.RUNNING:
        return preview
    try:
        submitted = preview.release
        # An urgent release is compared with what was live before it.
        before = submitted.base if submitted.urgent_by_id else None
        live = load_snapshot(before) if before else live_snapshot()
        release = snapshot_of_release(submitted)
        done = set(preview.items.values_list("key", flat=True))
        for case, message in questions(preview):
            if case.key not in done:
                keep(preview, case, message, live, release)
        report = report_of(preview)
        keep_preview(submitted, report, broken=len(report["broken"]), seen=preview.seen)
    except (StepRefused, ExpectedError) as error:
        return _end(preview, Preview.State.FAILED, str(error))
    return _end(preview, Preview.State.FINISHED)


def _end(preview: Preview, state: str, failure: str = "") -> Preview:
    preview.state, preview.failure, preview.finished_at = state, failure, timezone.now()
    preview.save(update_fields=["state", "failure", "finished_at"])
    return preview


def questions(preview: Preview) -> Iterator[tuple[Case, Message | None]]:
    """Yield the questions to replay: golden ones, then those of patients with their message and the
    conversation before it."""
    for case in stored_cases():
        yield case, None
    recent = Message.objects.filter(pk__in=preview.messages).select_related("conversation")
    for message in recent.order_by("-created_at"):
        history = history_of(message.conversation, before=message)
        earlier = tuple(EarlierTurn(each.question, each.answer, each.citations) for each in history)
        language = message.conversation.language
        yield Case(f"message:{message.pk}", "", language, message.question, earlier), message


def keep(
    preview: Preview, case: Case, message: Message | None, live: Snapshot, release: Snapshot
) -> None:
    """Answer a question from both versions and store the differences."""
    before, after = (side(case, message, version) for version in (live, release))
    shared = {*before["evidence"]} & {*after["evidence"]}
    for answer in (before, after):
        lines = [line for line in dict.fromkeys(answer["evidence"]) if line not in shared]
        answer["evidence"] = lines[:MOST_LINES]
    item = PreviewItem(
        hospital_id=preview.hospital_id,
        preview=preview,
        key=case.key,
        message=message,
        is_golden=message is None,
        breaks=before["passed"] is True and after["passed"] is False,
        changes=[kind for kind in KINDS if before[kind] != after[kind]],
        data={
            "question": case.question,
            "language": case.language,
            "category": case.category,
            "before": before,
            "after": after,
        },
    )
    PreviewItem.objects.bulk_create([item], ignore_conflicts=True)


def side(case: Case, message: Message | None, version: Snapshot) -> dict[str, Any]:
    """Return the answer of one version as plain values; only a golden question is judged."""
    language = case.language if message else version.profile.default_language
    with answering_from(version):
        answered, failure = Interview(language, FLAGS).answered(case)
        scores = {} if message else measure(case, outcome_of(case, answered, failure))
    reasons = list(failings(case.category, scores))
    passed = None if message else not reasons
    judged = {"passed": passed, "reasons": reasons, "failure": failure}
    if answered is None:
        nothing: dict[str, Any] = dict.fromkeys(("routing", "citations", "evidence"), ())
        return judged | {"behaviour": "", "intent": "", "answer": "", **nothing}
    context = answered.context
    return judged | {
        "behaviour": str(context.behaviour),
        "intent": str(context.understanding.intent),
        "routing": sorted(thing.name for thing in context.published.routed),
        "citations": sorted({citation.url for citation in context.citations}),
        "evidence": evidence_in(context),
        "answer": context.answer,
    }


def report_of(preview: Preview) -> dict[str, Any]:
    """Return the outcome in figures, as the release shows it."""
    items = list(preview.items.all())
    changes = Counter(kind for item in items for kind in item.changes)
    return {
        "preview": preview.pk,
        "questions": len(items),
        "golden": sum(item.is_golden for item in items),
        "changed": sum(bool(item.changes) for item in items),
        "changes": {kind: changes[kind] for kind in KINDS},
        "broken": [item.key for item in items if item.breaks],
        "mended": [
            item.key
            for item in items
            if (item.data["before"]["passed"], item.data["after"]["passed"]) == (False, True)
        ],
    }


def awaiting_preview() -> list[Release]:
    """Return the hospital's submitted releases without a replay."""
    submitted = Release.objects.filter(WAITED_FOR, preview__isnull=True)
    tried = set(Preview.objects.values_list("release_id", "seen"))
    found = submitted.select_related("version", "hospital")
    return [r for r in found if r.version and (r.pk, r.version.number) not in tried]


def lost_previews() -> list[Preview]:
    """Return awaited replays whose worker died."""
    waiting = Preview.objects.filter(release__in=Release.objects.filter(WAITED_FOR))
    return [preview for preview in waiting if is_lost(preview)]


def is_lost(preview: Preview) -> bool:
    """Return whether a running replay has had no new result for a while."""
    since = timezone.now() - LOST
    is_old = preview.state == Preview.State.RUNNING and preview.created_at < since
    return is_old and not preview.items.filter(created_at__gte=since).exists()
