"""A refusal said "Bel ." and ended in the bare title of a page: "Borstkanker [1]"."""

from dataclasses import replace

from chat.answering.refusals import refused as refusal
from retrieval.intents import Intent
from retrieval.passage import Page, Pages
from taxonomy.publishing.snapshot import Snapshot
from taxonomy.vocabulary import Kind, Predicate
from tests.builders import PROFILE, context, meant, phrases, thing, tools, vocabulary

BREAST = thing(Kind.DEPARTMENT, "Borstkliniek", phone="089 00 11 55")
CANCER = thing(Kind.CONDITION, "Borstkanker")
WORDS = vocabulary((BREAST, Predicate.HANDLES, CANCER))
SAID = phrases(
    refuse_medical=(
        "Dat kan alleen een zorgverlener u zeggen.\n"
        "1. Bent u patiënt bij {desk}? Bel {desk_phone}.\n2. Bel uw huisarts."
    ),
    refuse_page="Algemene uitleg leest u op onze pagina “{title}”.",
)
PAGES = Pages(by_url={CANCER.url: Page(1, "Borstkanker", CANCER.url)})


def refused(question, *things, **kit):
    asked = meant(*things, intent=Intent.OUT_OF_SCOPE_MEDICAL_ADVICE, language="nl")
    values = tools(**{"words": WORDS, "phrases": SAID, "pages": PAGES} | kit)
    return refusal(context(question, understanding=asked), values).context


def test_the_department_of_what_is_named_is_called_on_its_own_number():
    answer = refused("Mag ik dat?", CANCER).answer

    assert "Bent u patiënt bij Borstkliniek? Bel 089 00 11 55." in answer


def test_who_names_nothing_calls_the_hospital():
    assert "Bent u patiënt bij ZT? Bel 089 00 00 00." in refused("Mag ik dat?").answer


def test_where_there_is_no_number_nobody_is_told_to_call_it():
    profile = replace(PROFILE, phone="")
    mute = Snapshot(1, 1, profile)

    answer = refused("Mag ik dat?", snapshot=mute, phrases=replace(SAID, profile=profile)).answer

    assert answer.endswith("zeggen.\n1. Bel uw huisarts.")


def test_a_page_is_told_in_a_sentence():
    told = refused("Mag ik sporten met borstkanker?", CANCER)

    assert told.answer.endswith("Algemene uitleg leest u op onze pagina “Borstkanker”. [1]")
    assert len(told.citations) == 1
