"""Keeping what pages give reason for: each proposal once, what was decided stays decided."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from django.db import transaction

from taxonomy.content import draft_content
from taxonomy.kinds import Kind
from taxonomy.models import Doctor, Entity, Merger, Proposal
from taxonomy.population.known import known_of
from taxonomy.population.page import (
    AliasCandidate,
    Candidate,
    EntityCandidate,
    Page,
    ProposalRefusal,
    RelationCandidate,
)
from taxonomy.population.rules import candidates_in
from taxonomy.snapshots import snapshot_of
from taxonomy.vocabulary import Thing
from zol.models import Hospital
from zol.text import fold
from zol.versioned import plain

Sort, Status = Proposal.Sort, Proposal.Status
#: Pages that are remembered of one proposal; how many there are is counted further.
MOST_SOURCES = 5
#: Says why a model doubts a proposal; "" when it does not. Asked once for each proposal.
Judge = Callable[[Proposal], str]


@dataclass
class ProposalCounts:
    """What a pass over pages came to."""

    pages: int = 0
    made: Counter[str] = field(default_factory=Counter)
    #: Reasons that were found again on a page.
    known: int = 0
    refused: Counter[ProposalRefusal] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        return sum(self.made.values())


def propose_from(
    hospital: Hospital,
    pages: Iterable[Page],
    *,
    judge: Judge | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> ProposalCounts:
    """Read pages and keep what they give reason for. Doing it again adds nothing.

    `progress` is told after each page how many have been read.
    """
    hidden = Entity.objects.filter(status=Entity.Status.HIDDEN).values_list("kind", "name")
    known = known_of(snapshot_of(draft_content(hospital), hospital, 0), hidden)
    found = ProposalCounts()
    rows = {(row.kind, row.key): row for row in Entity.objects.all()}
    for page in pages:
        reading = candidates_in(page, known)
        found.pages += 1
        found.refused += reading.refused
        with transaction.atomic():
            for candidate in reading.candidates:
                _keep(hospital, _described(candidate, rows), page, candidate.sentence, found)
        progress(found.pages)
    _propose_mergers(hospital, found)
    if judge is not None:
        _ask(judge)
    return found


def _described(candidate: Candidate, rows: dict[tuple[str, str], Entity]) -> dict[str, Any]:
    match candidate:
        case EntityCandidate():
            return _entity(candidate, rows)
        case AliasCandidate(thing, text, language, _):
            name = f"alias:{thing.kind}/{thing.key}:{language}:{fold(text)}"
            subject = _of(thing, rows)
            values = {"kind": subject.kind, "name": text, "language": language, "subject": subject}
            return {"identity": name, "sort": Sort.ALIAS, **values}
        case RelationCandidate(subject_thing, predicate, target, _):
            ends = [f"{t.kind}/{t.key}" for t in (subject_thing, target)]
            return {
                "identity": f"relation:{predicate}:{':'.join(ends)}",
                "sort": Sort.RELATION,
                "kind": str(target.kind),
                "predicate": str(predicate),
                "subject": _of(subject_thing, rows),
                "object": _of(target, rows),
            }


def _entity(candidate: EntityCandidate, rows: dict[tuple[str, str], Entity]) -> dict[str, Any]:
    fields = dict(candidate.fields)
    plain_name = " ".join(filter(None, (fields.get("first_name"), fields.get("last_name"))))
    ties = [[str(t.predicate), str(t.target.kind), t.target.key] for t in candidate.ties]
    return {
        "identity": f"entity:{candidate.kind}:{fold(plain_name or candidate.name)}",
        "sort": Sort.ENTITY,
        "kind": str(candidate.kind),
        "name": candidate.name[:200],
        "language": candidate.language,
        "data": {"fields": fields, "ties": ties},
        "object": _of(candidate.similar, rows) if candidate.similar else None,
    }


def _of(thing: Thing, rows: dict[tuple[str, str], Entity]) -> Entity:
    return rows[str(thing.kind), thing.key]


def _keep(
    hospital: Hospital, said: dict[str, Any], page: Page, sentence: str, found: ProposalCounts
) -> None:
    source = {"path": page.path, "title": page.title, "url": page.url, "sentence": sentence}
    identity = said.pop("identity")[:500]
    row, is_new = Proposal.objects.get_or_create(
        hospital=hospital,
        identity=identity,
        defaults=said | {"sources": [source], "sentence": sentence, "page": page.path},
    )
    if is_new:
        found.made[said["sort"]] += 1
        return
    found.known += 1
    if row.is_open:
        _support(row, said.get("data", {}), source)


def _support(row: Proposal, data: dict[str, Any], source: dict[str, str]) -> None:
    """Note that another page says so, too, or that a page says it otherwise than before."""
    before = (list(row.sources), dict(row.data))
    others = [each for each in row.sources if each["path"] != source["path"]]
    if len(others) == len(row.sources):
        row.support += len(others) < MOST_SOURCES
    row.sources = [*others, source][:MOST_SOURCES] if len(others) < MOST_SOURCES else others
    ties = row.data.get("ties", [])
    new = [tie for tie in data.get("ties", []) if tie not in ties]
    if row.sort == Sort.ENTITY:
        fields = data.get("fields", {}) | row.data.get("fields", {})
        row.data = {"fields": fields, "ties": [*ties, *new]}
    if _sorted(before[0]) != _sorted(row.sources) or before[1] != row.data:
        row.save(update_fields=["sources", "support", "data"])


def _sorted(sources: list[dict[str, str]]) -> list[tuple[str, str]]:
    return sorted((source["path"], source["sentence"]) for source in sources)


def _propose_mergers(hospital: Hospital, found: ProposalCounts) -> None:
    """Ask whether doctors of one surname and initial are one; nothing is merged by itself."""
    for first, second in _namesakes():
        one, other = sorted((first, second), key=_weight)
        pair = "/".join(sorted((one.key, other.key)))
        said = {
            "sort": Sort.MERGE, "kind": str(Kind.DOCTOR), "name": one.name,
            "subject": one.entity_ptr, "object": other.entity_ptr,
            "sentence": f"{one.name} · {other.name}",
        }  # fmt: skip
        _, is_new = Proposal.objects.get_or_create(
            hospital=hospital, identity=f"merge:doctor:{pair}"[:500], defaults=said
        )
        found.made[Sort.MERGE] += is_new


def _namesakes() -> Iterator[tuple[Any, Any]]:
    groups: dict[tuple[str, str], list[Any]] = defaultdict(list)
    merged = Merger.objects.filter(undone_at=None).values("source_id")
    for doctor in Doctor.objects.filter(status=Entity.Status.ACTIVE).exclude(pk__in=merged):
        if doctor.first_name:
            groups[fold(doctor.last_name), fold(doctor.first_name)[0]].append(doctor)
    for group in groups.values():
        yield from combinations(group, 2)


def _weight(doctor: Any) -> tuple[int, int]:
    """Say how much is known of a doctor: who is known less is given up."""
    said = [plain(getattr(doctor, f.name)) for f in doctor._meta.concrete_fields]
    return len(doctor.first_name.rstrip(".")), sum(bool(value) for value in said)


def _ask(judge: Judge) -> None:
    """Have a model look at what is new; what it has judged it is not asked again."""
    unchecked = Proposal.objects.filter(status=Status.OPEN, is_checked=False)
    for row in unchecked.exclude(sort=Sort.MERGE):
        row.doubt, row.is_checked = judge(row)[:300], True
        row.save(update_fields=["doubt", "is_checked"])
