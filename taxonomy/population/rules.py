"""The rules: what a page of a kind may give reason for. To add one, list it in `RULES`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rapidfuzz.distance import OSA

from taxonomy.kinds import Kind, Predicate
from taxonomy.population.cues import PREDICATE_OF, Person, Sort
from taxonomy.population.known import PopulationContext, Responsibility, refused
from taxonomy.population.page import (
    AliasCandidate,
    Candidate,
    EntityCandidate,
    Page,
    ProposalRefusal,
    Reading,
    RelationCandidate,
    Tie,
    lines_of,
    statements_of,
)
from taxonomy.vocabulary import Thing
from zol.languages import LANGUAGES
from zol.text import fold, squash, words

Found = Iterator[Candidate | ProposalRefusal]
#: Doctors' names at the start of lines that make a list of doctors.
LISTING = 2
#: How alike two names are that may be one: one letter in ten.
ALIKE = 0.9
LONGEST_ALIAS = 4
_SUBJECTS = (Kind.DEPARTMENT, Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_ENDS_ALIAS = re.compile(r"[,.;:!?()|–—]")


def page_itself(page: Page, known: PopulationContext) -> Found:
    """A page about a department, condition, treatment or examination that is not there yet."""
    kind = page.kind
    if kind not in _SUBJECTS or page.language != known.language or known.subject_of(page):
        return
    name = squash(page.title)
    generic = known.cues.in_any_language(Sort.UNIT) | known.lexicon.stop_words(page.language)
    telling = [w for w in words(name) if w not in generic and len(w) > 3 and w.isalpha()]
    if not telling:
        yield ProposalRefusal.NO_SUBJECT
    elif known.is_hidden(kind, name):
        yield ProposalRefusal.HIDDEN
    else:
        yield EntityCandidate(
            kind, name, page.language, _opening(page), fields=(("url", page.url),),
            similar=_similar(known, kind, name),
        )  # fmt: skip


def _opening(page: Page) -> str:
    return next((sentence for sentence, _ in statements_of(page)), page.title)


def _similar(known: PopulationContext, kind: Kind, name: str) -> Thing | None:
    plain = fold(name)
    scored = ((OSA.normalized_similarity(plain, fold(t.name)), t) for t in _of(known, kind))
    return next((thing for score, thing in scored if score >= ALIKE), None)


def _of(known: PopulationContext, kind: Kind) -> Iterator[Thing]:
    return known.vocabulary.of_kind(kind)


def doctors(page: Page, known: PopulationContext) -> Found:
    """Doctors on a page of their own, or in a list of doctors; nowhere else."""
    if page.kind is Kind.DOCTOR and not known.subject_of(page):
        person = known.persons.read(page.title, page.language)
        yield from _doctor(known, page, person, page.title, url=page.url)
    if page.kind in (Kind.DOCTOR, Kind.DEPARTMENT):
        for passage in page.passages:
            lines = [line.text for line in lines_of(passage)]
            titled = [line for line in lines if known.persons.starts_with_title(line)]
            named = [(line, known.persons.read(line, page.language)) for line in titled]
            if sum(person is not None for _, person in named) >= LISTING:
                for line, person in named:
                    yield from _listed(page, known, person, line)


def _listed(page: Page, known: PopulationContext, person: Person | None, line: str) -> Found:
    department = known.subject_of(page) if page.kind is Kind.DEPARTMENT else None
    if person is None or department is None or department.get("sort") == "ward":
        yield from _doctor(known, page, person, line)
        return
    doctor = _doctor_called(known, person)
    if doctor is None:
        tie = Tie(Predicate.WORKS_IN, department)
        yield from _doctor(known, page, person, line, ties=(tie,))
    elif department not in known.vocabulary.objects(doctor, Predicate.WORKS_IN):
        yield RelationCandidate(doctor, Predicate.WORKS_IN, department, line)


def _doctor(
    known: PopulationContext,
    page: Page,
    person: Person | None,
    sentence: str,
    *,
    url: str = "",
    ties: tuple[Tie, ...] = (),
) -> Found:
    if person is None:
        yield ProposalRefusal.NO_NAME
    elif known.is_hidden(Kind.DOCTOR, person.name):
        yield ProposalRefusal.HIDDEN
    elif _doctor_called(known, person) is None:
        fields = {
            "title": person.title, "first_name": person.first, "last_name": person.last, "url": url,
        }  # fmt: skip
        said = tuple((name, value) for name, value in fields.items() if value)
        alike = _like(known, person)
        yield EntityCandidate(
            Kind.DOCTOR, person.name, page.language, sentence, said, ties, similar=alike
        )


def _doctor_called(known: PopulationContext, person: Person) -> Thing | None:
    same = (d for d in _of(known, Kind.DOCTOR) if _identity(d) == person.identity)
    spelt = iter(known.mentions.named(f"{person.first} {person.last}", Kind.DOCTOR))
    return next(same, None) or next(spelt, None)


def _like(known: PopulationContext, person: Person) -> Thing | None:
    """Return a doctor with this surname and initial: perhaps the same, for staff to say."""
    first, last = person.identity
    alike = (
        doctor
        for doctor in _of(known, Kind.DOCTOR)
        if _identity(doctor)[1] == last and _identity(doctor)[0][:1] == first[:1]
    )
    return next(alike, None)


def _identity(doctor: Thing) -> tuple[str, str]:
    return fold(doctor.get("first_name")), fold(doctor.get("last_name"))


def responsibilities(page: Page, known: PopulationContext) -> Found:
    """What a department says that it is there for, or a subject's page which department it is."""
    subject = known.subject_of(page)
    if subject is None or subject.kind not in _SUBJECTS:
        return
    for sentence, announced in statements_of(page):
        spoken = words(sentence)
        named = tuple(t for m in known.mentions.find(spoken) for t in m.things)
        for kind, (_, sort) in PREDICATE_OF.items():
            text = (*words(announced), *spoken)
            if known.cues.find(text, sort, page.language):
                for claim in _claims(page, subject, kind, sentence, named):
                    yield from _judged(claim, known)


def _claims(
    page: Page, subject: Thing, kind: Kind, sentence: str, named: tuple[Thing, ...]
) -> Iterator[Responsibility]:
    """Yield what a sentence with a cue says of a department and things of a kind."""
    predicate = PREDICATE_OF[kind][0]
    departments = tuple(dict.fromkeys(t for t in named if t.kind is Kind.DEPARTMENT))
    if subject.kind is Kind.DEPARTMENT:
        for thing in dict.fromkeys(t for t in named if t.kind is kind):
            yield Responsibility(subject, predicate, thing, sentence, page.language, departments)
    elif subject.kind is kind and departments:
        yield Responsibility(
            departments[0], predicate, subject, sentence, page.language, departments,
            is_own_page=False,
        )  # fmt: skip


def _judged(claim: Responsibility, known: PopulationContext) -> Found:
    if claim.thing in known.vocabulary.objects(claim.department, claim.predicate):
        return
    if reason := refused(claim, known):
        yield reason
        return
    yield RelationCandidate(claim.department, claim.predicate, claim.thing, claim.sentence)


def workplaces(page: Page, known: PopulationContext) -> Found:
    """The departments that a doctor's own page says the doctor works in."""
    doctor = known.subject_of(page)
    if doctor is None or doctor.kind is not Kind.DOCTOR:
        return
    has = known.vocabulary.objects(doctor, Predicate.WORKS_IN)
    for sentence, announced in statements_of(page):
        text = (*words(announced), *words(sentence))
        cue = known.cues.find(text, Sort.WORKS_IN, page.language)
        if cue is None:
            continue
        named = [t for m in known.mentions.find(text) if m.start >= cue[0] for t in m.things]
        for department in dict.fromkeys(t for t in named if t.kind is Kind.DEPARTMENT):
            if known.cues.find(words(sentence), Sort.NOT, page.language):
                yield ProposalRefusal.DENIED
            elif department not in has:
                yield RelationCandidate(doctor, Predicate.WORKS_IN, department, sentence)


def other_words(page: Page, known: PopulationContext) -> Found:
    """Words that a page gives for something it names: "…, in de volksmond …"."""
    for sentence, _ in statements_of(page):
        spoken = words(sentence)
        cue = known.cues.find(spoken, Sort.ALIAS, page.language)
        if cue is None:
            continue
        before = [m for m in known.mentions.find(spoken[: cue[0]]) if m.end == cue[0]]
        verbs = known.cues.words_of(Sort.ALIAS, page.language)
        stop = known.lexicon.stop_words(page.language)
        text = _trimmed(_said_after(sentence, spoken[cue[0] : cue[1]]), verbs, stop)
        if before and text:
            yield from _alias(before[0].things, text, page.language, sentence, known)


def _said_after(sentence: str, cue: tuple[str, ...]) -> str:
    """Return the words of a sentence between a cue and the next mark, as they are written."""
    plain = list(_WORD.finditer(sentence))
    folded = [fold(match[0]).replace("’", "'") for match in plain]
    for start in range(len(folded) - len(cue)):
        if tuple(folded[start : start + len(cue)]) == cue:
            rest = sentence[plain[start + len(cue) - 1].end() :]
            return squash(_ENDS_ALIAS.split(rest, maxsplit=1)[0])
    return ""


def _trimmed(text: str, verbs: frozenset[str], stop: frozenset[str]) -> str:
    """Return a word without quotes, article, and the verb that closes the cue: "… genoemd"."""
    parts = text.split()
    while parts and fold(parts[0]) in stop:
        parts.pop(0)
    while parts and fold(parts[-1]) in verbs:
        parts.pop()
    trimmed = " ".join(parts).strip("'\"“”‘’„«» ")
    return trimmed if 0 < len(parts) <= LONGEST_ALIAS else ""


def _alias(
    things: tuple[Thing, ...], text: str, language: str, sentence: str, known: PopulationContext
) -> Found:
    thing = next((t for t in things if t.kind in _SUBJECTS), None)
    if thing is None or len(text) <= 3 or language not in LANGUAGES:
        return
    others = known.mentions.named(text, thing.kind)
    if thing in others:
        return
    if others or all(w in known.lexicon.stop_words(language) for w in words(text)):
        yield ProposalRefusal.TAKEN
        return
    yield AliasCandidate(thing, text, language, sentence)


Rule = Callable[[Page, PopulationContext], Found]
RULES: tuple[Rule, ...] = (page_itself, doctors, responsibilities, workplaces, other_words)


def candidates_in(page: Page, known: PopulationContext) -> Reading:
    """Return what a page gives reason for, and what it gives none for."""
    return Reading.of(found for rule in RULES for found in rule(page, known))
