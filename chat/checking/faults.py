"""What must hold before an answer counts, by code, whoever wrote it (spec 05): it rests on a source
that exists, its figures stand there, it names whom the source names, and it is no diagnosis.

To add a check, write a function of the shape of `Check` and list it here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from chat.checking.evidence import Evidence
from chat.checking.figures import are_borne, unborne
from chat.checking.knowledge import Knowledge
from chat.checking.statements import QUOTED, Fault, Statement
from zol import phones
from zol.text import fold, words

NO_SOURCE = "no source"
#: Share of a statement's words that the facts must contain to bear it without a citation.
LEAST_COVER = 0.5
#: A lead-in says nothing that could be wrong: few words, no figures, and a colon.
LEAD_IN_WORDS = 14
#: Words of a sentence that admits something, and of one that only says whom to call.
ADMITTED_WORDS, REFERRAL_WORDS = 30, 16
Check: TypeAlias = Callable[[Statement, Evidence, Knowledge], Fault | None]


def cites_what_exists(said: Statement, evidence: Evidence, known: Knowledge) -> Fault | None:
    """Find a number that is not in the list."""
    unknown = sorted(set(said.marks) - evidence.by_number.keys())
    return Fault("citations", f"no source {unknown[0]}") if unknown else None


def quotes_a_page(said: Statement, evidence: Evidence, known: Knowledge) -> Fault | None:
    """Find a quotation that names no page."""
    is_bare = said.text.startswith(QUOTED) and not said.cited
    return Fault("citations", NO_SOURCE) if is_bare else None


def rests_on_something(said: Statement, evidence: Evidence, known: Knowledge) -> Fault | None:
    """Find a statement that neither cites a source nor repeats a fact."""
    if said.cited or is_lead_in(said, known) or is_honest(said, known):
        return None
    spoken = known.lexicon.content_words(said.words, said.language)
    facts = evidence.words_of(())
    held = sum(word in facts for word in spoken)
    if spoken and held >= LEAST_COVER * len(spoken):
        return None
    return Fault("citations", NO_SOURCE)


def is_lead_in(said: Statement, known: Knowledge) -> bool:
    """Whether a statement only opens what follows: a heading, or "The steps are:"."""
    return opens(said) and not known.figures.read(said.plain, said.written_in)


def is_honest(said: Statement, known: Knowledge) -> bool:
    """Whether a statement only says that our pages do not tell, or whom to call instead.

    It claims nothing else: it is short, and counts no dose.
    """
    if len(said.words) > ADMITTED_WORDS:
        return False
    figures = known.figures.read(said.plain, said.written_in)
    if any(figure.unit in known.dose_units for figure in figures):
        return False
    home = known.figures.home
    own = {number for text in known.own for number in phones.numbers(text, home)}
    is_referral = len(said.words) <= REFERRAL_WORDS and not own.isdisjoint(
        phones.numbers(said.plain, home)
    )
    return is_referral or any(known.admissions.find(said.words))


def opens(said: Statement) -> bool:
    """Whether a statement is a heading, or announces what follows."""
    is_short = len(said.words) <= LEAD_IN_WORDS
    return said.plain.startswith("#") or (said.plain.endswith(":") and is_short)


def figures_stand_in_a_source(
    said: Statement, evidence: Evidence, known: Knowledge
) -> Fault | None:
    """Find a figure that no cited source and no fact contains."""
    figures = known.figures.read(said.text, said.written_in)
    invented = unborne(figures, evidence.figures_of(said.cited)) if figures else ()
    return Fault("numbers", f"not in the source: {', '.join(invented)}") if invented else None


def dose_stands_together(said: Statement, evidence: Evidence, known: Knowledge) -> Fault | None:
    """Find a dose whose figures (age, weight, amount, times a day) come from different rows or
    sentences: one was once extrapolated for a child from a table that ended below its age."""
    figures = known.figures.read(said.text, said.written_in)
    if not any(figure.unit in known.dose_units for figure in figures):
        return None
    windows = (
        evidence.figures_in(window, exhibit.citation.language)
        for exhibit in evidence.cited(said.cited)
        for window in exhibit.windows()
    )
    if any(are_borne(figures, window) for window in windows):
        return None
    return Fault("numbers", "the dose does not stand so in one place of the source")


def phone_belongs(said: Statement, evidence: Evidence, known: Knowledge) -> Fault | None:
    """Find a telephone number of one department or doctor given for another."""
    named = known.named(said.words)
    if not named:
        return None
    for phone in phones.numbers(said.plain, known.figures.home):
        owners = known.by_phone.get(phone, frozenset())
        if owners and owners.isdisjoint(named) and not stand_together(phone, known, evidence, said):
            return Fault("numbers", f"{phone} is another's telephone number")
    return None


def stand_together(phone: str, known: Knowledge, evidence: Evidence, said: Statement) -> bool:
    """Whether a cited page itself gives this number beside one of these names."""
    beside = [
        fold(statement.text)
        for exhibit in evidence.cited(said.cited)
        for statement in exhibit.statements
        if phone in phones.numbers(statement.text, known.figures.home)
    ]
    named = known.named(said.words).values()
    return any(fold(thing.name) in statement for statement in beside for thing in named)


def published_names_are_meant(
    said: Statement, evidence: Evidence, known: Knowledge
) -> Fault | None:
    """Find a department or doctor of this hospital whom the sources do not speak of."""
    named = known.named(said.words)
    if not named:
        return None
    borne: set[str] = set()
    for text in evidence.texts(said.cited):
        borne |= known.named(words(text)).keys()
    strange = [thing.name for key, thing in named.items() if key not in borne]
    return Fault("names", f"not in the source: {strange[0]}") if strange else None


def titled_people_exist(said: Statement, evidence: Evidence, known: Knowledge) -> Fault | None:
    """Find somebody with a title of whose name a part stands in no source and in no fact."""
    names = known.titled(said.plain)
    borne = evidence.called | evidence.words_of(said.cited) if names else frozenset()
    strangers = [name for name in names if not borne.issuperset(capitals(name))]
    return Fault("names", f"nobody here is called {', '.join(strangers)}") if strangers else None


def places_exist(said: Statement, evidence: Evidence, known: Knowledge) -> Fault | None:
    """Find a department of which neither the taxonomy nor a source has any word.

    Behind its name another capital may follow: German writes all nouns with one.
    """
    names = [found["name"] for found in known.places.finditer(said.plain)]
    borne = known.called | evidence.words_of(said.cited) if names else frozenset()
    nowhere = [name for name in names if borne.isdisjoint(capitals(name))]
    return Fault("names", f"no place here is called {', '.join(nowhere)}") if nowhere else None


def capitals(name: str) -> tuple[str, ...]:
    """Return the words of a name that begin with a capital: not "van", not "en"."""
    return tuple(word for part in name.split() if not part[0].islower() for word in words(part))


def no_diagnosis(said: Statement, evidence: Evidence, known: Knowledge) -> Fault | None:
    """Find a diagnosis or a personal instruction about medication."""
    found = next(iter(known.diagnoses.find(said.words)), None)
    return Fault("claims", found.text) if found else None


#: Of each statement of a model, while it is written and before anybody sees it.
OF_A_MODEL: tuple[Check, ...] = (
    cites_what_exists,
    no_diagnosis,
    figures_stand_in_a_source,
    dose_stands_together,
    phone_belongs,
    published_names_are_meant,
    titled_people_exist,
    places_exist,
    rests_on_something,
)
#: Of each sentence of a whole answer, whoever wrote it.
OF_ANYBODY: tuple[Check, ...] = (
    quotes_a_page,
    figures_stand_in_a_source,
    titled_people_exist,
    places_exist,
)


def faults_of(
    said: Statement, evidence: Evidence, known: Knowledge, checks: Iterable[Check] = OF_A_MODEL
) -> Iterator[Fault]:
    """Yield what is wrong with a statement; nothing when it may be shown."""
    return (fault for check in checks if (fault := check(said, evidence, known)))
