"""Decisions about proposals: accepting one changes the draft.

Patients see the change after a release. A rejected proposal is not made again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from taxonomy.models import Alias, Doctor, Entity, Merger, Proposal, Relation
from taxonomy.models.entities import ENTITY_MODELS
from taxonomy.models.proposals import Decidable
from taxonomy.proposals.merging import meaning_elsewhere, merge
from taxonomy.vocabulary import Kind
from zol.errors import BadInput
from zol.records.versioned import plain
from zol.text import fold, squash

T = TypeVar("T", bound=Decidable)
Sort, Status = Proposal.Sort, Decidable.Status


@transaction.atomic
def accept(proposal: Proposal, *, by: User | None, name: str = "") -> str:
    """Apply a proposal, under another name if one is given; return what was done, in words."""
    proposal = locked(proposal)
    match proposal.sort:
        case Sort.ENTITY:
            done = _create(proposal, squash(name) or proposal.name)
        case Sort.ALIAS:
            done = add_alias(_ends(proposal)[0], squash(name) or proposal.name, proposal.language)
        case Sort.RELATION:
            done = _relate(*_ends(proposal), predicate=proposal.predicate)
        case _:
            source, target = _ends(proposal)
            merger = merge(source, target, by=by)
            done = " ".join([_("Merged into “%s”.") % target, *merger.collisions])
    decide(proposal, Status.ACCEPTED, by, done)
    return done


@transaction.atomic
def accept_as(proposal: Proposal, entity: Entity, *, by: User | None) -> str:
    """Accept a proposed entity as an alias of an existing one."""
    proposal = locked(proposal)
    if proposal.sort != Sort.ENTITY or proposal.kind != entity.kind:
        raise BadInput(
            _("Only a proposed new entity can be merged, and only with one of its own kind.")
        )
    language = entity.hospital.default_language
    done = add_alias(entity, proposal.name, language, is_strict=False)
    done = " ".join([_("Recognised as “%s”.") % entity, done, *_tie(entity, proposal)])
    decide(proposal, Status.ACCEPTED, by, done)
    return done


@transaction.atomic
def reject(proposal: Proposal, *, by: User | None, why: str = "") -> None:
    """Reject a proposal; it is not made again."""
    decide(locked(proposal), Status.REJECTED, by, squash(why))


def locked(proposal: T) -> T:
    """Return an open proposal of any queue, freshly read and locked."""
    rows = type(proposal)._default_manager.select_for_update(of=("self",))
    found = rows.get(pk=proposal.pk)
    if not found.is_open:
        raise BadInput(_("Somebody else has already decided on “%s”.") % found)
    return found


def decide(proposal: Decidable, status: str, by: User | None, outcome: str) -> None:
    proposal.status, proposal.decided_by, proposal.outcome = status, by, outcome
    proposal.decided_at = timezone.now()
    proposal.save(update_fields=["status", "decided_by", "decided_at", "outcome"])


def _ends(proposal: Proposal) -> tuple[Entity, Any]:
    subject = proposal.subject
    if subject is None:
        raise BadInput(_("What this proposal is about is gone; reject it."))
    return subject, proposal.object


def _create(proposal: Proposal, name: str) -> str:
    model = ENTITY_MODELS[proposal.kind]  # type: ignore[index]
    others = Entity.objects.filter(kind=proposal.kind, status=Entity.Status.ACTIVE)
    if any(fold(other.name) == fold(name) for other in others):
        raise BadInput(_("“%s” exists already: choose it under “Merge into”.") % name)
    values = {k: v for k, v in proposal.data.get("fields", {}).items() if hasattr(model, k)}
    hospital_id = proposal.hospital_id
    entity = model(hospital_id=hospital_id, name=name, key=_free_key(proposal, name), **values)
    entity.kind = proposal.kind
    try:
        entity.full_clean()
    except ValidationError as error:
        raise BadInput(" ".join(error.messages)) from error
    entity.save()
    return " ".join([_("Added to the draft."), *_tie(entity, proposal)])


def _free_key(proposal: Proposal, name: str) -> str:
    """Return a key that no entity of the kind has or had."""
    fields = proposal.data.get("fields", {})
    full_name = " ".join(filter(None, (fields.get("first_name"), fields.get("last_name"))))
    base = slugify(fold(full_name or name))[:110] or proposal.kind
    taken = set(Entity.objects.filter(kind=proposal.kind).values_list("key", flat=True))
    keys = (f"{base}-{number}" if number > 1 else base for number in range(1, len(taken) + 2))
    return next(key for key in keys if key not in taken)


def _tie(entity: Entity, proposal: Proposal) -> list[str]:
    """Create the relations that were proposed with an entity, where their target still exists."""
    done = []
    for predicate, kind, key in proposal.data.get("ties", ()):
        target = Entity.objects.filter(kind=kind, key=key, status=Entity.Status.ACTIVE).first()
        if target:
            done.append(_relate(entity, target, predicate=predicate))
    return done


def _relate(subject: Entity, target: Entity, *, predicate: str) -> str:
    hidden = Entity.Status.HIDDEN
    if gone := next((each for each in (subject, target) if each.status == hidden), None):
        raise BadInput(_("“%s” has been hidden since: reject this proposal.") % gone)
    last = Relation.objects.filter(subject_id=subject.pk, predicate=predicate).count()
    Relation.objects.get_or_create(
        hospital_id=subject.hospital_id,
        predicate=predicate,
        subject_id=subject.pk,
        object_id=target.pk,
        defaults={"position": last},
    )
    return _("Related to “%s”.") % target


def add_alias(entity: Entity, text: str, language: str, *, is_strict: bool = True) -> str:
    """Add an alias unless the text means another entity; return what was done, in words."""
    if found := meaning_elsewhere(entity, text, language):
        if is_strict:
            raise BadInput(found)
        return found
    has = entity.aliases.filter(language=language, folded=fold(text)).exists()
    if has or fold(text) == fold(entity.name):
        return _("“%s” was already a word for it.") % text
    last = entity.aliases.count()
    Alias.objects.create(entity=entity, text=text, language=language, position=last)
    return _("“%s” added as another word.") % text


def propose_mergers(hospital_id: int) -> int:
    """Propose to merge doctors with the same surname and initial; return how many are new."""
    made = 0
    for first, second in _namesakes():
        one, other = sorted((first, second), key=_weight)
        pair = "/".join(sorted((one.key, other.key)))
        values = {
            "sort": Proposal.Sort.MERGE, "kind": str(Kind.DOCTOR), "name": one.name,
            "subject": one.entity_ptr, "object": other.entity_ptr,
            "sentence": f"{one.name} · {other.name}",
        }  # fmt: skip
        _, is_new = Proposal.objects.get_or_create(
            hospital_id=hospital_id, identity=f"merge:doctor:{pair}"[:500], defaults=values
        )
        made += is_new
    return made


def _namesakes() -> Iterator[tuple[Any, Any]]:
    groups: dict[tuple[str, str], list[Any]] = defaultdict(list)
    merged = Merger.objects.filter(undone_at=None).values("source_id")
    for doctor in Doctor.objects.filter(status=Entity.Status.ACTIVE).exclude(pk__in=merged):
        if doctor.first_name:
            groups[fold(doctor.last_name), fold(doctor.first_name)[0]].append(doctor)
    for group in groups.values():
        yield from combinations(group, 2)


def _weight(doctor: Any) -> tuple[int, int]:
    """Return how complete the data of a doctor are: the less complete one is merged away."""
    values = [plain(getattr(doctor, f.name)) for f in doctor._meta.concrete_fields]
    return len(doctor.first_name.rstrip(".")), sum(bool(value) for value in values)
