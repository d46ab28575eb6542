"""Who asked for the wheelchair entrance was told how a wheelchair is reimbursed.

Each contamination is a word that pages on two subjects share. The pages are indexed and classified
with the default rows and searched as a question is; the wrong page, on a
subject whose affinity is below neutral, says the word more often.
"""

from dataclasses import dataclass, replace

import pytest

from chat.engines.embedded.sections import Sections
from chat.sources.numbered import evidence_of
from chat.stages.context_building import context_building
from chat.stages.reranking import reranking
from retrieval.categories import CategoryClassifier
from retrieval.intents import Intent
from retrieval.models import AffinityCell, CategoryKeyword, ContentCategory, SteeringRoute
from retrieval.models import UnitPhrase as UnitPhraseRow
from retrieval.query import Query
from retrieval.ranking import rebalance
from retrieval.search import hybrid_search
from retrieval.tuning import Steering, read_steering
from taxonomy.snapshot import Snapshot
from taxonomy.vocabulary import Vocabulary
from tests.builders import PROFILE, context, meant, passage, source, tools
from tests.retrieval.index_builders import EMBEDDER, indexed
from zol.records.versioned import default_rows

pytestmark = pytest.mark.django_db

PRACTICAL = Intent.NAVIGATION_OR_PRACTICAL_INFO
TREATMENT = Intent.TREATMENT_OR_EXAM_INFORMATION
BOOKING = Intent.BOOKING_OR_CONTACT


@dataclass(frozen=True)
class Shared:
    """A word that pages on two subjects share, and which of them was meant."""

    word: str
    right: str
    wrong: str
    intent: Intent = PRACTICAL
    topic: str = ""


WHEELCHAIR = Shared(
    "rolstoel",
    "Met een rolstoel neemt u de ingang aan de parking; de lift en de hal zijn toegankelijk.",
    "Rolstoel op voorschrift: de terugbetaling van een rolstoel vraagt u aan bij uw ziekenfonds.",
)
CONTAMINATIONS = (
    WHEELCHAIR,
    Shared("krukken", "Krukken leent u aan het onthaal naast de ingang.",
           "Krukken en terugbetaling: krukken op voorschrift betaalt het ziekenfonds deels terug."),
    Shared("kamer", "Op elke kamer is gratis wifi; bezoekuren van uw kamer hangen aan de lift.",
           "Kamer en factuur: het supplement van een kamer staat op uw factuur, kamer per kamer."),
    Shared("bezoek", "Bezoek is welkom tijdens de bezoekuren; de ingang is dan open.",
           "Bezoek en symptomen: een bezoek met symptomen van infectie vraagt een diagnose, bezoek na bezoek."),
    Shared("kluis", "Een kluis vindt u op uw kamer en aan het onthaal bij de ingang.",
           "Kluis en klacht: voor een verlies uit een kluis dient u een klacht in bij de ombudsdienst, kluis vermeld."),
    Shared("taxi", "Een taxi wacht aan de ingang naast de parking.",
           "Taxi en terugbetaling: een taxi naar dialyse betaalt het ziekenfonds terug, taxi per taxi."),
    Shared("kinderen", "Kinderen komen mee tijdens de bezoekuren; de ingang van de cafetaria is breed.",
           "Kinderen en diagnose: bij kinderen met symptomen volgt een diagnose en een behandeling, kinderen eerst."),
    Shared("foto", "Een foto neemt u aan de ingang en in de cafetaria vrij.",
           "Foto en privacy: een foto van een patiënt raakt de privacy en de rechten van de patiënt, foto na foto."),
    Shared("mri", "Een mri is een onderzoek met een magneet; na de diagnose volgt een behandeling.",
           "Mri en ingang: voor een mri neemt u de ingang aan de parking; de lift naar de mri staat links.",
           TREATMENT),
    Shared("prothese", "Een prothese is een behandeling van artrose; de operatie duurt een uur.",
           "Prothese en klacht: een klacht over een prothese richt u aan de ombudsdienst, prothese vermeld.",
           TREATMENT),
    Shared("cardioloog", "Een afspraak met de cardioloog maakt u bij het secretariaat; uw raadpleging verzetten kan daar ook.",
           "Cardioloog en behandeling: de cardioloog kiest een behandeling na de diagnose, cardioloog en patiënt.",
           BOOKING),
    Shared("oor", "Een afspraak voor uw oor maakt u online of bij het secretariaat van de raadpleging.",
           "Oor en terugbetaling: een hoorapparaat voor het oor betaalt het ziekenfonds terug op voorschrift, oor per oor.",
           BOOKING),
    Shared("verslag", "Een klacht over een verslag of inzage volgens de rechten van de patiënt vraagt u aan de ombudsdienst.",
           "Verslag en behandeling: het verslag noemt diagnose en behandeling, verslag na verslag.",
           PRACTICAL, "legal"),
    Shared("ambulance", "De terugbetaling van een ambulance regelt uw ziekenfonds; het remgeld staat op de factuur.",
           "Ambulance en ingang: de ambulance rijdt naar de ingang naast de parking, ambulance eerst.",
           PRACTICAL, "billing"),
)  # fmt: skip


@pytest.fixture
def steering(hospital) -> Steering:
    return read_steering(rows_of(hospital))


def rows_of(hospital) -> Snapshot:
    models = (AffinityCell, ContentCategory, SteeringRoute, UnitPhraseRow)
    rows = {m.row_set(): tuple(r.freeze() for r in default_rows(m, hospital.pk)) for m in models}
    return Snapshot(1, 1, PROFILE, Vocabulary(), rows)


@pytest.fixture
def classifier(hospital) -> CategoryClassifier:
    return CategoryClassifier([row.freeze() for row in default_rows(CategoryKeyword, hospital.pk)])


@pytest.fixture
def found(hospital, classifier):
    """Search the pages of all contaminations for one word, each passage with its subject."""
    texts = [text for each in CONTAMINATIONS for text in (each.wrong, each.right)]
    indexed(hospital, *texts)

    def search(word):
        passages = hybrid_search(Query(word, dense_weight=0.0), embedder=EMBEDDER).passages
        return [replace(p, category=classifier.classify(p.text).category) for p in passages]

    return search


def steered(passages, shared, steering):
    return rebalance(passages, steering.row_for(shared.intent, shared.topic), steering)


def test_every_contamination_is_turned_round(found, steering, capsys):
    before = after = 0
    lines = []
    for shared in CONTAMINATIONS:
        passages = found(shared.word)
        ranked = steered(passages, shared, steering)
        first, then = passages[0].text == shared.right, ranked[0].text == shared.right
        before, after = before + first, after + then
        lines.append(f"{shared.word:12}{passages[0].category:15}{ranked[0].category:15}{then}")
    with capsys.disabled():
        print(f"\n{'word':12}{'first before':15}{'first after':15}right", *lines, sep="\n")  # noqa: T201 (a table to read)
        print(f"right page first: {before} without, {after} with, of {len(CONTAMINATIONS)}")  # noqa: T201

    assert len(CONTAMINATIONS) > 12
    assert before <= len(CONTAMINATIONS) // 4
    assert after == len(CONTAMINATIONS), "\n".join(lines)


def test_the_subjects_are_told_apart(classifier):
    assert classifier.classify(WHEELCHAIR.right).category == "practical"
    assert classifier.classify(WHEELCHAIR.wrong).category == "regulatory"


def test_the_law_holds_on_the_last_weight_that_orders_evidence_of_either_engine(steering):
    said = "De rolstoel staat bij het loket."
    wrong = passage(said, 0.95, category="regulatory", source=source("Terugbetaling"))
    right = passage(said, 0.50, category="practical", source=source("Binnenkomen"))
    ctx = context("rolstoel ingang", understanding=meant(intent=PRACTICAL), passages=(wrong, right))

    def firsts(**flags):
        used = tools(steering=steering, flags=flags)
        built = context_building(reranking(ctx, used).context, used).context
        evidence = evidence_of(built, used)
        read = Sections(built, evidence.sources[1:], used).rated
        return evidence.sources[1].citation.title, read[0].source.citation.title

    assert firsts(value_framework=False) == ("Terugbetaling", "Terugbetaling")
    assert firsts() == ("Binnenkomen", "Binnenkomen")
