"""Deciding about a proposed SNOMED CT concept: what a person accepts becomes part of the draft."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from taxonomy.models import Alias, Entity, SnomedProposal
from taxonomy.models.entities import ENTITY_MODELS
from taxonomy.services.merging import meaning_elsewhere
from zol.errors import BadInput
from zol.text import fold, squash

Status = SnomedProposal.Status


@dataclass(frozen=True, slots=True)
class AcceptanceResult:
    """What accepting came to: aliases made, and words that mean something else already."""

    aliases: tuple[str, ...] = ()
    collisions: tuple[str, ...] = ()

    def __str__(self) -> str:
        said = [_("Aliases added: %s.") % ", ".join(self.aliases)] if self.aliases else []
        return " ".join([*said, *self.collisions])


@transaction.atomic
def accept(
    proposal: SnomedProposal, *, by: User | None, words: Collection[str] | None = None
) -> AcceptanceResult:
    """Stamp the entity, and make aliases of the words chosen (all, when none are named).

    A word that means another thing of its kind is left to that thing, and reported.
    """
    proposal = _lock(proposal)
    entity: Any = ENTITY_MODELS_BY_NAME[proposal.entity.kind].objects.get(pk=proposal.entity_id)
    if entity.snomed and entity.snomed != str(proposal.concept):
        raise BadInput(
            _("“%(entity)s” has the code %(code)s already; empty it first.")
            % {"entity": entity, "code": entity.snomed}
        )
    decided = _add_aliases(entity, proposal, words)
    entity.snomed = str(proposal.concept)
    entity.save(update_fields=["snomed"])
    _decide(proposal, Status.ACCEPTED, by, str(decided))
    others = SnomedProposal.objects.filter(entity_id=entity.pk, status=Status.OPEN)
    others.update(
        status=Status.REJECTED, decided_by=by, decided_at=timezone.now(),
        outcome=_("Another concept was accepted."),
    )  # fmt: skip
    return decided


@transaction.atomic
def reject(proposal: SnomedProposal, *, by: User | None) -> None:
    """Leave the entity as it is, and do not propose this concept for it again."""
    _decide(_lock(proposal), Status.REJECTED, by, "")


def _lock(proposal: SnomedProposal) -> SnomedProposal:
    locked = SnomedProposal.objects.select_for_update(of=("self",)).select_related("entity")
    found = locked.get(pk=proposal.pk)
    if found.status != Status.OPEN:
        raise BadInput(_("Somebody else has decided on “%s” already.") % found.preferred_term)
    return found


def _decide(proposal: SnomedProposal, status: str, by: User | None, outcome: str) -> None:
    proposal.status, proposal.decided_by, proposal.outcome = status, by, outcome
    proposal.decided_at = timezone.now()
    proposal.save(update_fields=["status", "decided_by", "decided_at", "outcome"])


def _add_aliases(
    entity: Entity, proposal: SnomedProposal, words: Collection[str] | None
) -> AcceptanceResult:
    made, collisions = [], []
    last = max(entity.aliases.values_list("position", flat=True), default=0)
    seen = {fold(entity.name)}
    for synonym in proposal.synonyms:
        text, language = squash(synonym["text"]), synonym["language"]
        if (words is not None and synonym["text"] not in words) or fold(text) in seen:
            continue
        if found := meaning_elsewhere(entity, text, language):
            collisions.append(found)
            continue
        seen.add(fold(text))
        if entity.aliases.filter(language=language, folded=fold(text)).exists():
            continue
        last += 1
        Alias.objects.create(entity=entity, text=text, language=language, position=last)
        made.append(text)
    return AcceptanceResult(tuple(made), tuple(collisions))


ENTITY_MODELS_BY_NAME = {str(kind): model for kind, model in ENTITY_MODELS.items()}
