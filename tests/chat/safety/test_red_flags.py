"""An emergency is heard at once; a question about one is only a question."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import pytest

from chat.safety.red_flags import RedFlags
from chat.safety.slots import rule
from tests.chat.question.readers import ROWS, default_rows
from zol.languages import LANGUAGES

PHRASES = Path(__file__).parents[1] / "data" / "red_flag_phrases.csv"
#: The fewest phrasings of each kind that a language is held against.
LEAST = 40


@cache
def flags() -> RedFlags:
    return RedFlags(default_rows(ROWS["chat.redflagphrase"]))


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("ik heb pijn op de borst", "chest_pain"),
        ("Ik heb PIJN heel erg op mijn borst!", "chest_pain"),
        ("I have chest pain", "chest_pain"),
        ("J'ai une douleur dans la poitrine", "chest_pain"),
        ("ik wil niet meer leven", "suicide"),
        ("ik krijg een hartaanval, wat is een goed ziekenhuis", "chest_pain"),
        ("mijn vriendin heeft een doos antidepressiva genomen", "overdose_poison"),
        ("mijn peuter heeft een naald ingeslikt", "overdose_poison"),
        ("my toddler swallowed a sewing needle", "overdose_poison"),
        ("mon fils a avalé une épingle", "overdose_poison"),
        ("meine Tochter hat eine Stecknadel verschluckt", "overdose_poison"),
        ("çocuğum iğne yuttu", "overdose_poison"),
        ("mio figlio ha ingoiato un ago", "overdose_poison"),
        ("copilul a înghițit un ac", "overdose_poison"),
        ("το παιδί κατάπιε μια βελόνα", "overdose_poison"),
    ],
)
def test_hears_an_emergency(question: str, kind: str) -> None:
    assert flags().check(question).kind == kind


@pytest.mark.parametrize(
    "question",
    [
        "Wat zijn de symptomen van een beroerte?",
        "bezoekuren spoed",
        "brochure over pijn op de borst",
        "Waar kan ik parkeren?",
        "I am afraid of needles and I cannot swallow tablets",
        "mag ik eten en slikken voor de naaldbiopsie?",
        "",
    ],
)
def test_a_question_about_one_is_no_emergency(question: str) -> None:
    assert not flags().check(question)


def test_what_happens_now_outweighs_words_of_information() -> None:
    assert flags().check("ik krijg nu pijn op de borst, wat zijn de bezoekuren")


@pytest.mark.parametrize(
    "question",
    [
        "Ik wil dood. Hoe kom ik aan pillen?",
        "Ik wil niet meer leven. Ik zit in de klas.",
        "Ik wil dood, ik sta op de parking van het ziekenhuis",
        "ik wil dood en sta op de parking",
        "je veux mourir je suis sur votre parking",
        "voglio morire e sono nel vostro parcheggio",
        "I want to end my life. What does the brochure say?",
        "Je veux en finir. Que dit la brochure ?",
    ],
)
def test_what_is_said_beside_a_wish_to_die_takes_nothing_of_it_away(question: str) -> None:
    assert flags().check(question).kind == "suicide"


@pytest.mark.parametrize(
    "question",
    [
        "Ze stikt! Welke verdieping?",
        "Hij is bewusteloos, op welke verdieping moet ik zijn?",
        "mijn collega reageert niet welke verdieping is spoed",
        "Mama ademt niet meer! welke verdieping?",
        "mijn buurman is neergestoken, welke verdieping",
        "She's not breathing, which floor is the emergency room on",
        "my dad collapsed in the hall, which floor do I go to",
        "no pulse!! which floor",
        "Mon père est inconscient, quel étage pour les urgences ?",
        "ma fille suffoque, c'est à quel étage les urgences",
        "Mein Vater atmet nicht, welche Etage?",
        "er ist zusammengebrochen, auf welche Etage muss ich",
        "babam nefes almıyor kaçıncı kat",
        "mio padre non respira, a che piano devo andare?",
        "è svenuta, che piano è il pronto soccorso",
        "tata nu respiră, la ce etaj e urgența",
        "ο πατέρας μου δεν αναπνέει, σε ποιον όροφο;",
        "am sticlă în ochi, ce secție",
    ],
)
def test_what_happens_to_somebody_is_heard_beside_the_way_however_short(question: str) -> None:
    assert flags().check(question)


@pytest.mark.parametrize(
    "question",
    [
        "Mijn vader ligt bewusteloos op intensieve zorgen, welke verdieping is dat?",
        "my father is unconscious in intensive care, which floor is it on?",
        "Mon mari est inconscient en réanimation, quel étage ?",
        "meine Mutter liegt bewusstlos auf der Intensivstation, welche Etage?",
        "mio padre è incosciente in terapia intensiva, che piano?",
        "welke verdieping is hartstilstand revalidatie",
        "which floor is the stroke unit",
        "op welke verdieping is de allergietest voor anafylaxie",
        "mijn telefoon reageert niet meer, welke verdieping is de IT balie",
        "Mein Handy reagiert nicht, welche Etage ist der Empfang",
        "ik was vorig jaar bewusteloos, op welke verdieping is de neuroloog",
        "non reagisce alla terapia, che piano è oncologia",
    ],
)
def test_a_name_or_a_visit_beside_the_way_is_no_emergency(question: str) -> None:
    assert not flags().check(question)


@pytest.mark.parametrize(
    "question",
    [
        "Mijn rechterarm doet het plots niet meer",
        "mein rechter Arm funktioniert plötzlich nicht mehr",
        "mon bras gauche ne marche soudain plus",
    ],
)
def test_a_limb_that_suddenly_stops_is_a_stroke(question: str) -> None:
    assert flags().check(question).kind == "stroke"


def test_remembers_the_conversation() -> None:
    flag = flags().check("en waar is de ingang?", ["ik heb pijn op de borst"])

    assert flag.kind == "chest_pain"
    assert flag.is_earlier


def test_hears_what_is_said_in_two_messages() -> None:
    flag = flags().check("op de borst", ["goeiedag", "ik heb pijn"])

    assert flag.kind == "chest_pain"
    assert not flag.is_earlier


def test_every_trigger_is_heard_by_itself() -> None:
    rows = default_rows(ROWS["chat.redflagphrase"])
    triggers = [row for row in rows if row["role"] == "trigger"]
    heard = RedFlags(triggers)
    deaf = [row["text"] for row in triggers if not heard.check(row["text"])]

    assert deaf == []


def phrases(kind: str, language: str) -> list[str]:
    with PHRASES.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [r["phrase"] for r in rows if (r["kind"], r["language"]) == (kind, language)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_hears_every_phrasing_that_another_hand_wrote(language: str) -> None:
    said = phrases("trigger", language)

    assert len(said) >= LEAST
    assert [text for text in said if not flags().check(text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_hears_nothing_in_what_only_comes_near(language: str) -> None:
    said = phrases("near_miss", language)

    assert len(said) >= LEAST
    assert [text for text in said if flags().check(text)] == []


RULES = [
    {"kind": "chest_pain", "language": "any", "role": "rule", "text": "{chest} {pain}"},
    {"kind": "chest", "language": "nl", "role": "slot", "text": "borst*"},
    {"kind": "pain", "language": "nl", "role": "slot", "text": "pijn*"},
    {"kind": "pain", "language": "de", "role": "slot", "text": "schmerz*"},
    {"kind": "before", "language": "nl", "role": "denial", "text": "geen"},
    {"kind": "any", "language": "nl", "role": "distant", "text": "vorig jaar"},
    {"kind": "any", "language": "nl", "role": "context", "text": "brochure"},
    {"kind": "any", "language": "nl", "role": "presence", "text": "nu"},
]


IDIOMS = [
    {"kind": "vision", "language": "nl", "role": "trigger", "text": "niet meer zien"},
    {"kind": "seizure", "language": "nl", "role": "trigger", "text": "toeval nu"},
    {"kind": "any", "language": "nl", "role": "idiom", "text": "uitslag* niet zien"},
    {"kind": "stroke", "language": "nl", "role": "idiom", "text": "foto* niet zien"},
    {"kind": "any", "language": "nl", "role": "presence", "text": "ineens"},
    {"kind": "any", "language": "nl", "role": "presence", "text": "nu"},
    {"kind": "any", "language": "nl", "role": "context", "text": "welke dokter"},
    {"kind": "any", "language": "nl", "role": "idiom", "text": "mag niet achter stuur"},
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ik kan haar uitslagen ineens niet meer zien", False),
        ("ik kan ineens niet meer zien", True),
        ("ik bekeek mijn uitslagen en kan nu ineens niet meer zien", True),
        ("ik kan de foto niet meer zien", True),
        ("welke dokter, hij had een toeval en mag nu niet meer achter het stuur", False),
    ],
)
def test_words_within_an_expression_that_means_something_else_are_no_sign(
    text: str, *, expected: bool
) -> None:
    assert bool(RedFlags(IDIOMS).check(text)) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ik kan uitslagen niet zien van mijn oog", False),
        ("ik kan uitslagen niet zien en niks met dat oog", True),
        ("ik kan uitslagen niet zien en niks", False),
        ("uitslagen niet zien", False),
    ],
)
def test_an_expression_explains_its_own_words_away_and_not_what_is_said_beside_it(
    text: str, *, expected: bool
) -> None:
    rows = [
        {"kind": "vision", "language": "any", "role": "rule", "text": "{eye} {sight} {total}"},
        {"kind": "vision", "language": "any", "role": "rule", "text": "{eye} {sight}"},
        {"kind": "eye", "language": "nl", "role": "slot", "text": "oog"},
        {"kind": "sight", "language": "nl", "role": "slot", "text": "niet zien"},
        {"kind": "total", "language": "nl", "role": "slot", "text": "niks"},
        {"kind": "any", "language": "nl", "role": "idiom", "text": "uitslag* niet zien"},
    ]
    assert bool(RedFlags(rows).check(text)) is expected


COUNSEL = [
    {"kind": "suicide", "language": "nl", "role": "trigger", "text": "wil niet meer leven"},
    {"kind": "unconscious", "language": "nl", "role": "trigger", "text": "wordt niet wakker"},
    {"kind": "suicide", "language": "nl", "role": "counsel", "text": "euthanasie"},
    {"kind": "any", "language": "nl", "role": "presence", "text": "vannacht"},
]


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("opa wil niet meer leven, wie vertelt over euthanasie", True),
        ("ik wil niet meer leven", False),
        ("ik wil niet meer leven, vannacht, zonder euthanasie", False),
        ("hij wordt niet wakker na de euthanasie", False),
    ],
)
def test_who_also_asks_for_what_pages_tell_is_heard_beside_the_emergency(
    text: str, *, asks: bool
) -> None:
    flag = RedFlags(COUNSEL).check(text)

    assert flag
    assert flag.asks is asks


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mijn borstkas doet pijn", True),
        ("pijnlijk in de borststreek", True),
        ("schmerzen, borst", False),
        ("geen pijn in de borst", False),
        ("geen koorts, pijn in de borst", True),
        ("vorig jaar pijn op de borst", False),
        ("nu weer, zoals vorig jaar, pijn op de borst", False),
        ("brochure over pijn op de borst", False),
        ("ik heb nu pijn op de borst, waar is de brochure", True),
    ],
)
def test_a_rule_combines_words_of_one_language_and_weighs_what_speaks_against(
    text: str, *, expected: bool
) -> None:
    assert bool(RedFlags(RULES).check(text)) is expected


def test_a_number_of_pills_is_told_from_an_amount() -> None:
    rows = [
        {"kind": "overdose_poison", "language": "any", "role": "rule", "text": "{count} {pills}"},
        {"kind": "pills", "language": "nl", "role": "slot", "text": "paracetamol"},
    ]

    assert RedFlags(rows).check("30 paracetamol geslikt")
    assert not RedFlags(rows).check("paracetamol 500 mg")


def test_every_slot_of_every_rule_is_filled_in_every_language() -> None:
    rows = default_rows(ROWS["chat.redflagphrase"])
    filled = {(row["kind"], row["language"]) for row in rows if row["role"] == "slot"}
    named = {slot for row in rows if row["role"] == "rule" for slot in rule("", row["text"]).slots}

    assert [(s, c) for s in sorted(named) for c in LANGUAGES if (s, c) not in filled] == []


def test_a_word_is_heard_as_it_is_written_in_a_hurry_in_its_own_language_only() -> None:
    rows = [
        {"kind": "unconscious", "language": "nl", "role": "trigger", "text": "wordt niet wakker"},
        {"kind": "unconscious", "language": "de", "role": "trigger", "text": "wird nicht wach"},
        {"kind": "niet", "language": "nl", "role": "spelling", "text": "nie"},
        {"kind": "nicht", "language": "de", "role": "spelling", "text": "net"},
    ]
    heard = RedFlags(rows)

    assert heard.check("hij wordt nie wakker")
    assert heard.check("er wird net wach")
    assert not heard.check("hij wordt net wakker")


@pytest.mark.parametrize(
    "question",
    [
        "twee jaar geleden had hij een beroerte en nu hangt zijn mond scheef",
        "she had a heart attack last year and now she has chest pain",
        "il a eu un infarctus l'an dernier, maintenant il a mal à la poitrine",
        "vor einem Jahr hatte er einen Herzinfarkt, jetzt hat er Brustschmerzen",
        "geçen yıl kalp krizi geçirdi, şimdi göğsü ağrıyor",
        "l'anno scorso ha avuto un infarto, adesso ha dolore al petto",
        "anul trecut a avut infarct, acum îl doare pieptul",
        "πέρσι έπαθε έμφραγμα, τώρα πονάει το στήθος του",
    ],
)
def test_what_was_long_ago_does_not_hide_what_happens_now(question: str) -> None:
    assert flags().check(question)


@pytest.mark.parametrize(
    "question",
    [
        "mijn vader had vorig jaar een beroerte, waar kan hij nu terecht voor controle?",
        "vorig jaar had ik een beroerte, waar kan ik nu terecht voor revalidatie na een beroerte",
        "my dad had a heart attack last year, who does he see now?",
        "il a fait un AVC l'an dernier, quel neurologue le suit maintenant ?",
        "a avut infarct acum doi ani, la cine merge acum la control",
    ],
)
def test_who_asks_now_about_what_was_long_ago_is_in_no_danger(question: str) -> None:
    assert not flags().check(question)


def test_an_ending_is_also_heard_as_it_is_spoken() -> None:
    rows = [
        {"kind": "breathing", "language": "tr", "role": "trigger", "text": "nefesim yetmiyor"},
        {"kind": "*yor", "language": "tr", "role": "spelling", "text": "*yo"},
    ]

    assert RedFlags(rows).check("nefesim yetmiyo").kind == "breathing"
    assert not RedFlags(rows[:1]).check("nefesim yetmiyo")


@pytest.mark.parametrize(
    "question",
    [
        "mijn zus zegt dat ze zelfmoord gaat plegen",
        "my brother says he is going to kill himself",
        "mon père dit qu'il veut en finir",
        "meine Schwester sagt, sie bringt sich um",
        "kardeşim canına kıyacağını söylüyor",
        "mio padre dice che vuole uccidersi",
        "sora mea zice că se omoară",
        "η αδελφή μου λέει ότι θα αυτοκτονήσει",
    ],
)
def test_who_speaks_of_somebody_else_is_heard_as_well(question: str) -> None:
    assert flags().check(question).kind == "suicide"
