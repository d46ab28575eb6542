"""Propose SNOMED CT concepts for the entities of a hospital, and apply accepted proposals."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from taxonomy.models import Alias, Entity, SnomedProposal, SnomedRelease
from taxonomy.models.entities import ENTITY_MODELS
from taxonomy.proposals.decisions import Status, add_alias, decide, locked
from taxonomy.snomed.loading import size_and_key, without_tag
from taxonomy.snomed.tables import USED
from taxonomy.vocabulary import Kind
from zol.errors import BadInput
from zol.languages import LANGUAGES
from zol.models import Hospital
from zol.tenancy import serving
from zol.text import fold, squash

By = SnomedProposal.By
KINDS = (Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION)
#: Top concepts of the hierarchies that each kind belongs to: clinical findings (with diseases) and
#: procedures. In a release without them the hierarchy is not checked.
FINDING, PROCEDURE = 404684003, 71388002
TOPS = {Kind.CONDITION: FINDING, Kind.TREATMENT: PROCEDURE, Kind.EXAMINATION: PROCEDURE}
#: Of several reasons for one concept the first in this order is shown.
TRUST = {By.CODE: 0, By.NAME: 1, By.LATIN: 2, By.ALIAS: 3}
TERM_LETTERS = 200
#: A term that more concepts share is ignored.
MOST_RIVALS = 5

_FOUND = f"""
    SELECT DISTINCT d.key, d.concept,
        EXISTS (SELECT 1 FROM taxonomy_snomedisa a
                WHERE a.descendant = d.concept AND a.ancestor = {FINDING}),
        EXISTS (SELECT 1 FROM taxonomy_snomedisa a
                WHERE a.descendant = d.concept AND a.ancestor = {PROCEDURE})
    FROM taxonomy_snomeddescription d
    JOIN taxonomy_snomedconcept c ON c.id = d.concept AND c.is_active
    WHERE d.key = ANY(%s) AND d.key <> '' AND {USED}"""
_CODES = "SELECT id FROM taxonomy_snomedconcept WHERE is_active AND id = ANY(%s::bigint[])"
_HAS_TOPS = "SELECT count(*) = 2 FROM taxonomy_snomedconcept WHERE id = ANY(%s::bigint[])"
_TERMS = f"""
    SELECT concept, language, term, sort FROM taxonomy_snomeddescription
    WHERE concept = ANY(%s::bigint[]) AND {USED}
    ORDER BY sort DESC, acceptability DESC, length(term), id"""


@dataclass(frozen=True, slots=True)
class SnomedReason:
    """Why an entity may be a concept."""

    entity: Entity
    by: By
    text: str


@transaction.atomic
def propose(hospital: Hospital) -> tuple[int, list[Any]]:
    """Add a proposal for each entity and matching concept that nobody has decided on yet.

    Return their number, and the entities whose code is no active concept of the release.
    """
    with serving(hospital):
        release = SnomedRelease.objects.filter(is_current=True).first()
        if release is None:
            return 0, []
        SnomedProposal.objects.filter(status=Status.OPEN).delete()
        entities: list[Any] = [
            row for kind in KINDS
            for row in ENTITY_MODELS[kind].objects.filter(status=Entity.Status.ACTIVE)
        ]  # fmt: skip
        reasons, unknown = _by_code(entities)
        for pair, reason in _by_words([e for e in entities if not e.snomed]).items():
            reasons.setdefault(pair, reason)
        judged = set(SnomedProposal.objects.values_list("entity_id", "concept"))
        new = _proposals(hospital, reasons, judged, str(release))
        made = SnomedProposal.objects.bulk_create(new)
    return len(made), unknown


Pair = tuple[int, int]


def _by_code(entities: Iterable[Any]) -> tuple[dict[Pair, SnomedReason], list[Entity]]:
    coded = {e: int(e.snomed) for e in entities if e.snomed.isascii() and e.snomed.isdigit()}
    known = {row[0] for row in _rows(_CODES, list(coded.values()))}
    reasons = {
        (entity.pk, concept): SnomedReason(entity, By.CODE, entity.snomed)
        for entity, concept in coded.items()
        if concept in known
    }
    unknown = [e for e in entities if e.snomed and coded.get(e) not in known]
    return reasons, unknown


def _by_words(entities: Iterable[Any]) -> dict[Pair, SnomedReason]:
    """Return the best reason for each pair of an entity and a concept that share a term."""
    keyed: dict[str, list[SnomedReason]] = defaultdict(list)
    for reason in _words_of(entities):
        if key := size_and_key(reason.text)[1]:
            keyed[key].append(reason)
    has_tops = bool(_rows(_HAS_TOPS, [FINDING, PROCEDURE])[0][0])
    reasons: dict[Pair, SnomedReason] = {}
    found = _rows(_FOUND, list(keyed))
    sharing = Counter(key for key, *_ in found)
    for key, concept, is_finding, is_procedure in found:
        if sharing[key] > MOST_RIVALS:
            continue
        tops = {FINDING: is_finding, PROCEDURE: is_procedure}
        for reason in keyed[key]:
            if has_tops and not tops[TOPS[Kind(reason.entity.kind)]]:
                continue
            pair = reason.entity.pk, concept
            if pair not in reasons or TRUST[reason.by] < TRUST[reasons[pair].by]:
                reasons[pair] = reason
    return reasons


def _words_of(entities: Iterable[Any]) -> Iterator[SnomedReason]:
    aliases: dict[int, list[str]] = defaultdict(list)
    for entity_id, text in Alias.objects.values_list("entity_id", "text"):
        aliases[entity_id].append(text)
    for entity in entities:
        yield SnomedReason(entity, By.NAME, entity.name)
        if latin := getattr(entity, "latin", ""):
            yield SnomedReason(entity, By.LATIN, latin)
        for text in aliases[entity.pk]:
            yield SnomedReason(entity, By.ALIAS, text)


def _proposals(
    hospital: Hospital, reasons: dict[Pair, SnomedReason], judged: set[Pair], release: str
) -> Iterator[SnomedProposal]:
    terms = _terms_of({concept for _, concept in reasons})
    known = _known_words()
    rivals = Counter(entity_id for entity_id, _concept in reasons)
    for (entity_id, concept), reason in reasons.items():
        named = terms[concept]
        new = [
            {"text": text, "language": language}
            for language, text in named
            if fold(text) not in known[entity_id] and len(text) <= TERM_LETTERS
        ]
        is_settled = reason.by is By.CODE and not new
        if (entity_id, concept) in judged or not named or is_settled:
            continue
        own = hospital.default_language
        preferred = next((term for code, term in named if code == own), named[0][1])
        yield SnomedProposal(
            hospital=hospital,
            entity_id=entity_id,
            concept=concept,
            preferred_term=preferred[:400],
            synonyms=new,
            matched_by=reason.by,
            matched_text=reason.text,
            rivals=rivals[entity_id] - 1,
            release=release,
        )


def _terms_of(concepts: set[int]) -> dict[int, list[tuple[str, str]]]:
    """Return the terms of concepts in the supported languages, preferred terms first."""
    found: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for concept, language, term, sort in _rows(_TERMS, list(concepts)):
        text = without_tag(term) if sort == "f" else term
        if language in LANGUAGES and (language, text) not in found[concept]:
            found[concept].append((language, text))
    return found


def _known_words() -> dict[int, set[str]]:
    """Return the folded names and aliases of every entity."""
    known: dict[int, set[str]] = defaultdict(set)
    for entity_id, folded in Alias.objects.values_list("entity_id", "folded"):
        known[entity_id].add(folded)
    for entity_id, name in Entity.objects.values_list("pk", "name"):
        known[entity_id].add(fold(name))
    return known


def _rows(sql: str, values: list[Any]) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql, [values])
        return list(cursor.fetchall())


@transaction.atomic
def accept(
    proposal: SnomedProposal, *, by: User | None, words: Collection[str] | None = None
) -> str:
    """Code the entity with the concept, and add the chosen terms as aliases (None: all of them).

    A term that means another entity is not added, and reported in the returned text.
    """
    proposal = locked(proposal)
    model = ENTITY_MODELS[Kind(proposal.entity.kind)]
    entity: Any = model.objects.get(pk=proposal.entity_id)
    if entity.snomed and entity.snomed != str(proposal.concept):
        raise BadInput(
            _("“%(entity)s” already has the code %(code)s: remove that code there first.")
            % {"entity": entity, "code": entity.snomed}
        )
    done, seen = [], {fold(entity.name)}
    for synonym in proposal.synonyms:
        text = squash(synonym["text"])
        if fold(text) not in seen and (words is None or synonym["text"] in words):
            done.append(add_alias(entity, text, synonym["language"], is_strict=False))
            seen.add(fold(text))
    entity.snomed = str(proposal.concept)
    entity.save(update_fields=["snomed"])
    decide(proposal, Status.ACCEPTED, by, " ".join(done))
    others = SnomedProposal.objects.filter(entity_id=entity.pk, status=Status.OPEN)
    others.update(
        status=Status.REJECTED, decided_by=by, decided_at=timezone.now(),
        outcome=_("Another concept was accepted."),
    )  # fmt: skip
    return " ".join(done)


@transaction.atomic
def reject(proposal: SnomedProposal, *, by: User | None) -> None:
    """Reject a proposal; the concept is not proposed for the entity again."""
    decide(locked(proposal), Status.REJECTED, by, "")
