"""Each check passes right statements and finds the wrong ones of its kind."""

import csv
from dataclasses import replace
from datetime import date

import pytest

from chat.checking.base import Citation, Claim, Form, Line, LineKind, NumberedEvidence, Source
from chat.checking.by_line import CheckedQuestion, judged, replacement
from chat.checking.knowledge import CUES, knowledge_of
from chat.checking.verdicts import Verdict, holds, messages
from chat.safety.phrases import defaults
from taxonomy.language.lexicon import ROWS as LEXICON
from taxonomy.models import LexiconConcept
from taxonomy.snapshot import Profile, Snapshot
from taxonomy.vocabulary import Kind
from tests.builders import thing, vocabulary

KNOWN = knowledge_of(
    Snapshot(
        1,
        1,
        Profile(
            phone="089 00 50 50",
            emergency_phone="112",
            website="https://www.ziekenhuis.test",
            country="be",
        ),
        vocabulary(
            thing(Kind.DEPARTMENT, "Urologie", "en:urology", phone="089 00 51 35"),
            thing(Kind.DEPARTMENT, "Radiologie", phone="089 00 51 23"),
            thing(Kind.DOCTOR, "Ann Peeters", first_name="Ann", last_name="Peeters"),
            thing(Kind.CAMPUS, "Sint-Jan", "Genk"),
            thing(Kind.CAMPUS, "Sint-Barbara", "Lanaken"),
        ),
        {
            CUES: tuple({**row, "weight": float(row["weight"])} for row in defaults("cues")),
            "chat.countryline": defaults("country_lines"),
            LEXICON: tuple(
                csv.DictReader(LexiconConcept.defaults.read_text(encoding="utf-8").splitlines())
            ),
        },
    )
)
TOLD = (
    "Parkeren kost € 1,80 per begonnen uur, hoogstens € 9,00 per dag.",
    "Het labo is open ma-vr 7:30-17:00.",
    "Meld u aan de balie, tenzij u al een nummer hebt.",
    "Op campus Sint-Jan volgt u route 15 naar de tweede verdieping.",
    "Drink het laatste glas 4 uur voor het onderzoek.",
    "Dr. Ann Peeters helpt u bij Urologie, 089 00 51 35, urologie@ziekenhuis.test.",
    "Kinderen zijn welkom vanaf 6 jaar.",
    "Neem het medicijn nooit samen met melk.",
    "Betaal op BE68 5390 0754 7034 of via www.betaal.test/nu.",
)
LATER = (
    "Meld u 7 dagen vooraf aan de balie.",
    "Bus van Sint-Jan naar Sint-Barbara: gratis.",
    "Bel Urologie op 089 00 51 35 en voor een foto 089 00 51 23.",
    "Pendelbus vanaf het station, ma-vr, om de 30 minuten.",
    "U krijgt het medicijn bij Urologie.",
    "Elke eerste zaterdag van de maand leiden we ouders rond.",
    "Raadpleging: di, vr 9.00-12.30 uur.",
    "De cafetaria is dagelijks open.",
)
ROWS = (
    "Gewicht: 22-27 kg; Dosis: 320 mg; Keer per dag: 4",
    "Gewicht: 28-32 kg; Dosis: 400 mg; Keer per dag: 4",
)
LINES = tuple(
    Line(f"2.{at}", text, kind=kind)
    for at, (text, kind) in enumerate(
        [(each, LineKind.SENTENCE) for each in TOLD]
        + [(each, LineKind.ROW) for each in ROWS]
        + [(each, LineKind.SENTENCE) for each in LATER],
        1,
    )
)
EVIDENCE = NumberedEvidence((Source(Citation(2, "Uw bezoek", "", language="nl"), LINES),))
ASKED = CheckedQuestion("Wat kost 3 uur parkeren bij het labo?", today=date(2026, 11, 29))


def judge(text, *lines, question="", language="nl", form=Form.SENTENCE):
    asked = replace(ASKED, question=question or ASKED.question, language=language)
    return judged(Claim(text, tuple(f"2.{at}" for at in lines), form), EVIDENCE, asked, KNOWN)


def check_of(*args, **more):
    fault = judge(*args, **more).fault
    return fault.check if fault else ""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param("1. Parkeren kost € 1,80 per begonnen uur.", 1, id="the number of an item"),
        pytest.param("Parking costs 1.80 euro for each hour or part of it.", 1, id="translated"),
        pytest.param("Het labo is op weekdagen open vanaf half acht.", 2, id="half past"),
        pytest.param("Het labo is van maandag tot vrijdag open.", 2, id="days in full"),
        pytest.param("Het labo is vrijdag nog open: kom anders maandag.", 2, id="two days apart"),
        pytest.param("Bel Urologie op +32 89 00 51 35.", 6, id="a number from abroad"),
        pytest.param("Bel Urologie op 089 00 51 35 of 089 00 50 50.", 7, id="of whom it names"),
        pytest.param("Dr. Peeters helpt u.", 6, id="a doctor by the last name"),
        pytest.param("Dr. Ann Peeters van de Urologie helpt u.", 6, id="and the department"),
        pytest.param("Bel Urologie op 089 00 51 35, of voor een foto 089 00 51 23.", 14,
                     id="two numbers, each with its own name"),
        pytest.param("De pendelbus rijdt van maandag tot vrijdag.", 15, id="abbreviated days"),
        pytest.param("De raadpleging is op dinsdag en vrijdag.", 18, id="listed days"),
        pytest.param("Turul are loc în prima sâmbătă a fiecărei luni.", 17, id="months of Monday"),
    ],
)  # fmt: skip
def test_right_words_pass(text, line):
    language = "en" if "Parking" in text else "ro" if "Turul" in text else "nl"

    assert judge(text, line, language=language).fault is None


@pytest.mark.parametrize(
    ("text", "line", "check"),
    [
        ("Parkeren kost € 1,90 per begonnen uur.", 1, "figures"),
        ("Parkeren kost minstens € 9,00 per dag.", 1, "figures"),
        ("Het labo is ook op zaterdag open.", 2, "figures"),
        ("Het labo is van dinsdag tot vrijdag open.", 2, "figures"),
        ("Kinderen zijn welkom vanaf 6 maanden.", 7, "figures"),
        ("Bel Urologie op 089 00 51 36.", 6, "contact"),
        ("Bel Urologie op 089 00 51 23.", 6, "contact"),
        ("Bel Radiologie op 089 00 51 35, Urologie op 089 00 51 23.", 14, "contact"),
        ("Mail info@ziekenhuis.test.", 6, "contact"),
        ("Betaal op BE68 5390 0754 7035.", 9, "contact"),
        ("Vraag naar dr. Tom Vermaelen.", 6, "names"),
        ("Radiologie helpt u.", 6, "names"),
        ("Op campus Sint-Barbara volgt u route 15.", 4, "names"),
        ("Meld u aan de balie 请联系.", 3, "language"),
        ("Vous devez vous présenter à l'accueil avant.", 3, "language"),
        ("<think>Hm.</think> Meld u aan de balie.", 3, "markup"),
        ("Meld u [hier](https://x.test).", 3, "markup"),
        ("Geef 320 mg.", 10, "dose"),
        ("U lijdt aan een longontsteking.", 3, "claims"),
        ("De televisie is gratis.", 99, "lines"),
    ],
)
def test_what_its_lines_do_not_say_is_found(text, line, check):
    assert check_of(text, line) == check


@pytest.mark.parametrize(
    ("language", "text", "check"),
    [
        ("tr", "Kafeterya hafta içi ve hafta sonu açıktır.", ""),
        ("nl", "De cafetaria is op weekdagen en in het weekend open.", ""),
        ("nl", "De cafetaria is op weekdagen open.", "figures"),
    ],
)
def test_weekdays_and_the_weekend_together_are_every_day(language, text, check):
    assert check_of(text, 19, language=language) == check


def test_a_day_that_only_the_visitor_names_beside_other_days_waits_for_a_verdict():
    said = judge("Ja, het labo is open op zaterdag.", 2, question="Is het labo zaterdag open?")

    assert said.fault is None
    assert said.is_derived
    assert not judge("Het labo is open op vrijdag.", 2).is_derived


def test_names_as_the_lines_have_them_are_no_other_language_nor_is_an_everyday_pair_a_name():
    greek = "Το τηλέφωνο της Urologie: Ann Peeters, 089 00 51 35."
    union = "Parking costs 1.80 euro, also for cars of the European Union."

    assert check_of(greek, 6, language="el") == ""
    assert check_of("Dr. Ann Peeters helpt u bij Urologie.", 6, language="el") == "language"
    assert check_of(union, 1, language="en") == ""
    assert check_of("Ask for Edward Whitmore, the pilot.", 1, language="en") == "names"


def test_words_of_a_prompt_are_found():
    told = next(str(row["text"]) for row in defaults("prompts") if row["section"] == "order")

    assert check_of(told, 1, language="en") == "prompt"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("nl", "Het spijt ons dat u een kapper zoekt."),
        ("en", "I am very sorry for your loss."),
        ("fr", "Toutes nos condoléances."),
        ("tr", "Başınız sağ olsun."),
        ("nl", "Over welke campus gaat het?"),
        ("nl", "Bel bij gevaar meteen 112."),
        ("nl", "Bel voor meer uitleg 089 00 50 50."),
        ("de", "Das steht nicht auf unseren Seiten."),
        ("ro", "Nu este pe paginile noastre."),
        ("el", "Ποια κλινική εννοείτε;"),
        ("it", "Chiami subito il 112."),
    ],
)
def test_what_the_product_itself_says_needs_no_line(language, text):
    judgement = judge(text, question="Is er een kapper?", language=language)

    assert judgement.fault is None
    assert not judgement.needs_verdict


@pytest.mark.parametrize(
    ("language", "sent", "kept"),
    [
        ("nl", "Wacht niet en bel 112.", "Bel alleen 112 als u flauwvalt."),
        ("nl", "U belt best onmiddellijk 112.", "Bel meteen 113."),
        ("fr", "Appelez le 112 sans attendre.", "Inutile d'appeler le 112."),
        ("de", "Das ist beängstigend für Sie beide: Rufen Sie jetzt sofort 112 an.",
         "Sie müssen nicht die 112 rufen."),
        ("en", "Dial 112 without delay.", "There is no need to call 112."),
        ("en", "This must be frightening: call 112 immediately.",
         "Call 089 00 50 50 instead of 112."),
        ("it", "Chiami il 112 senza esitare.", "Non chiami il 112."),
        ("ro", "Apelați 112 fără întârziere.", "Nu sunați la 112."),
        ("el", "Πάρτε αμέσως το 112.", "Μην καλέσετε το 112."),
        ("tr", "Vakit kaybetmeden 112'yi arayın.", "112'yi aramanıza gerek yok."),
    ],
)  # fmt: skip
def test_somebody_in_danger_is_sent_to_112_and_never_kept_from_it(language, sent, kept):
    judgement = judge(sent, question="36 Wochen, starke Blutung", language=language)

    assert judgement.fault is None
    assert judgement.is_explained
    assert judge(kept, language=language).fault is not None


def test_the_poison_centre_of_the_country_needs_no_line():
    assert judge("Bel meteen het Antigifcentrum: 070 245 245.").fault is None


@pytest.mark.parametrize(
    ("language", "text", "question"),
    [
        ("nl", "Wij hopen dat uw vader snel beter wordt.", "mijn vader ligt op intensieve"),
        ("fr", "Je comprends votre inquiétude.", "j'ai peur"),
        ("de", "Das tut uns sehr leid.", "beschwerde"),
        ("de", "Es tut mir leid, dass Sie mit der Behandlung nicht zufrieden sind.", "beschweren"),
        ("en", "This must be a very difficult time for you and your family.", "my mother died"),
        ("it", "Ci dispiace che non sia rimasto soddisfatto.", "reclamo"),
        ("ro", "Înțelegem că este un moment greu.", "mama a murit"),
        ("el", "Καταλαβαίνουμε την ανησυχία σας.", "φοβάμαι"),
        ("tr", "Yaşadıklarınız için üzgünüz.", "şikayet"),
    ],
)
def test_to_fear_grief_and_complaints_something_human_is_said(language, text, question):
    judgement = judge(text, question=question, language=language)

    assert judgement.fault is None
    assert judgement.is_explained


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I'm sorry, but you do not need a referral."),
        ("nl", "Het spijt ons, u mag uw medicijn stoppen."),
        ("nl", "Wij hopen dat u om 14 uur komt."),
        ("fr", "Nous espérons que vous avez vu le docteur Peeters."),
        ("nl", "Het spijt ons dat u wachtte, omdat de wet dat voor elke patiënt voorschrijft."),
        ("nl", "Bel 089 11 22 33."),
        ("nl", "Wist u dat parkeren gratis is?"),
        ("nl", "Dat staat niet op onze pagina's, neem 3 tabletten."),
    ],
)
def test_nothing_of_the_hospital_is_said_under_cover_of_sympathy(language, text):
    assert judge(text, language=language).fault is not None


@pytest.mark.parametrize(
    ("text", "line", "is_explained"),
    [
        ("Parkeren kost € 1,80 per begonnen uur, hoogstens € 9 per dag.", 1, True),
        ("U drinkt het laatste glas 4 uur voor het onderzoek.", 5, True),
        ("U drinkt het laatste glas 4 uur na het onderzoek.", 5, False),
        ("Meld u aan de balie.", 3, False),
        ("Neem het medicijn samen met melk.", 8, False),
        ("Alle kinderen zijn welkom vanaf 6 jaar.", 7, False),
        ("The last glass is to be finished 4 hours before the exam.", 5, False),
    ],
)
def test_one_line_explains_what_it_says_both_ways(text, line, is_explained):
    judgement = judge(text, line, language="en" if text.startswith("The") else "nl")

    assert judgement.fault is None
    assert judgement.is_explained is is_explained
    assert judgement.needs_verdict is not is_explained


def test_a_better_line_takes_the_place_of_the_one_that_is_named():
    assert judge("Kinderen zijn welkom vanaf 6 jaar.", 3).claim.lines == ("2.7",)
    assert judge("Kinderen zijn welkom vanaf 6 jaar.", 99).claim.lines == ("2.7",)


@pytest.mark.parametrize(
    ("text", "line", "question"),
    [
        ("Drie uur parkeren kost € 5,40.", 1, ""),
        ("Uw zoon van 9 jaar is welkom.", 7, "Mag mijn zoon van 9 jaar mee?"),
        ("U drinkt het laatste glas om 10 uur.", 5, "Mijn onderzoek is om 14 uur."),
        ("Voor 15 km naar het labo belt u ma-vr.", 2, "Ik woon 15 km van het labo."),
        ("Meld u op 27 november aan de balie.", 12, "Ik kom vrijdag 4 december."),
    ],
)
def test_a_figure_that_is_given_or_worked_out_waits_for_its_verdict(text, line, question):
    judgement = judge(text, line, question=question)

    assert judgement.fault is None
    assert judgement.is_derived
    assert judgement.needs_verdict


@pytest.mark.parametrize(
    ("text", "line", "question"),
    [
        ("Ja, parkeren kost € 3.", 1, "Klopt het dat parkeren € 3 kost?"),
        ("Ja, het labo is open tot 19 uur.", 2, "Klopt het dat het labo tot 19 uur open is?"),
        ("Ja, bel 089 11 22 33.", 6, "Is het 089 11 22 33?"),
        ("Ja, geef 500 mg.", 10, "Mag ik 500 mg geven?"),
    ],
)
def test_what_the_visitor_asks_to_confirm_is_no_source(text, line, question):
    assert judge(text, line, question=question).fault is not None


def test_lines_are_printed_without_further_ado():
    assert judge("", 10, form=Form.SHOW).is_explained
    assert judge("", 99, form=Form.SHOW).fault.check == "lines"


@pytest.mark.parametrize(
    ("text", "line", "shown"),
    [
        pytest.param("U neemt het medicijn niet samen met melk in.", 8, True, id="equal"),
        pytest.param("U neemt het medicijn samen met melk in.", 8, False, id="denied no more"),
    ],
)
def test_what_could_do_harm_denies_what_its_line_does_whatever_the_verdict(text, line, shown):
    judgement = judge(text, line)

    assert judgement.is_risky
    assert holds(Verdict(1, "supported", condition_dropped=False), judgement) is shown
    assert holds(None, judgement) is judgement.is_explained


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("Non, vous recevez le médicament à l'Urologie.", True,
                     id="no, and what the line says"),
        pytest.param("Vous recevez le médicament à l'Urologie, et n'arrêtez"
                     " jamais de vous-même.", True, id="the care that is always added"),
        pytest.param("Vous ne recevez pas le médicament à l'Urologie.", False,
                     id="denied"),
        pytest.param("N'arrêtez jamais de vous-même : vous ne recevez pas le médicament à"
                     " l'Urologie.", False, id="denied behind it"),
    ],
)  # fmt: skip
def test_a_no_that_only_answers_and_care_that_is_always_added_deny_nothing(text, shown):
    judgement = judge(text, 16, question="Mag ik mijn medicijn thuis krijgen?", language="fr")

    assert judgement.fault is None
    assert judgement.is_risky
    assert holds(Verdict(1, "supported", condition_dropped=False), judgement) is shown


@pytest.mark.parametrize(
    ("text", "check"),
    [("Après une urologie, le médicament vient.", ""), ("La Radiologie vous aide.", "names")],
)
def test_in_another_language_a_department_is_called_by_a_name_with_a_capital(text, check):
    assert check_of(text, 16, language="fr") == check


def test_in_another_language_a_verdict_tells_conditions_and_figures():
    dutch = judge("Meld u aan de balie met uw medicijn.", 3)
    french = judge("Présentez-vous au guichet avec le médicament.", 3, language="fr")

    supported = Verdict(1, "supported", condition_dropped=False)
    assert (dutch.is_risky, french.is_risky) == (True, True)
    assert not holds(supported, dutch)
    assert holds(supported, french)
    assert not holds(replace(supported, condition_dropped=True), french)


def test_what_does_no_harm_may_say_no_where_its_line_says_until_when():
    judgement = judge(
        "Nee, op zaterdag is het labo niet open.", 2, question="Is het labo zaterdag open?"
    )

    assert (judgement.is_risky, judgement.is_equal) == (False, False)
    assert holds(Verdict(1, "supported", condition_dropped=False), judgement)
    assert not holds(None, judgement)


def test_a_sign_before_a_figure_is_not_of_the_figure_before():
    nights, price = KNOWN.figures.read("Vier nachten € 112.", "nl")

    assert (nights.unit, price.unit) == ("", "euro")


def test_the_lines_that_are_named_may_be_counted():
    assert judge("Twee voorwaarden: nummer en balie.", 3, 7).fault is None
    assert judge("Vier voorwaarden: nummer en balie.", 3, 7).fault is not None


def test_a_small_word_that_counts_what_is_named_is_no_figure():
    both = judge("Tussen de twee campussen rijdt een gratis bus.", 13)

    assert both.fault is None
    assert not both.is_derived
    assert judge("Er zijn twee balies voor u.", 3).is_derived
    assert check_of("Neem twee ml.", 3) in ("dose", "figures")
    assert check_of("Het labo heeft drie balies op 4 plaatsen.", 2) == "figures"


def test_a_verdict_reads_the_question_and_what_is_synonyms_in():
    names = KNOWN.synonyms_in("U parkeert in Lanaken.")
    (_, told) = messages(
        "rules",
        [(Claim("U parkeert in Lanaken.", ("2.1",)), LINES[:1])],
        "Waar?",
        names,
        date(2026, 11, 29),
    )

    assert names == ("Lanaken: Sint-Barbara",)
    assert told.text.startswith("Today is Sunday 29 November 2026.\n\nThe patient asked: Waar?")
    assert told.text.endswith("- Lanaken: Sint-Barbara")


def test_lines_stand_in_place_of_a_statement_where_they_speak_of_what_is_asked():
    claim = Claim("Parkeren is gratis.", ("2.1", "2.5"))

    assert replacement(claim, EVIDENCE, ASKED, KNOWN) == (LINES[0],)
