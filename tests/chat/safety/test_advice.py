"""Asking for advice about a person is told apart from asking for information."""

from __future__ import annotations

from functools import cache

import pytest

from chat.safety.advice import AdviceCues, advice_cues_of
from chat.safety.slots import COUNT, EVERY, NUMBER, rule
from tests.chat.question.readers import ROWS, default_rows, snapshot
from zol.languages import LANGUAGES

ASKS = [
    "mag ik een neusspray gebruiken samen met mijn antibiotica",
    "mijn zoon weegt 23 kg, hoeveel nurofen siroop",
    "kan ik mijn pil overslaan",
    "zou dit een hernia kunnen zijn",
    "mijn hemoglobine staat op 10, is dat te laag",
    "wat is het beste middel tegen migraine: triptanen of ibuprofen",
    "moet ik mijn knie laten opereren of niet",
    "ik slik bloedverdunners, mag ik een aspirine nemen",
    "is it safe to take ibuprofen while breastfeeding",
    "how many units of insulin should I inject",
    "is this mole cancer",
    "can I stop my antidepressants now that I feel better",
    "which painkiller is best for back pain",
    "my psa is 6, should I worry",
    "can my 4 year old have nurofen and paracetamol together",
    "puis-je arrêter mon anticoagulant",
    "combien de doliprane pour un enfant de 20 kg",
    "est-ce que c'est un cancer",
    "ma tension est à 17/10, est-ce grave",
    "puis-je boire de l'alcool avec mes antibiotiques",
    "que feriez-vous à ma place",
    "wie viel ibuprofen darf mein kind mit 15 kg nehmen",
    "soll ich mein blutdruckmedikament absetzen",
    "mein cholesterin ist 280, ist das schlimm",
    "ist das ein melanom",
    "was ist besser bei arthrose, spritze oder operation",
    "kızım 12 kilo kaç ml parol vereyim",
    "antibiyotiği bırakabilir miyim",
    "tansiyonum 18 tehlikeli mi",
    "hangi ilaç baş ağrısına iyi gelir",
    "hamileyim ağrı kesici içebilir miyim",
    "quanta tachipirina posso dare a un bambino di 10 kg",
    "posso smettere di prendere la cortisone",
    "la mia glicemia è 180, è grave?",
    "è meglio l'operazione o la fisioterapia per la mia ernia",
    "posso bere vino con gli antibiotici",
    "cât nurofen dau unui copil de 14 kg",
    "pot să iau aspirină dacă sunt însărcinată",
    "glicemia mea e 200, e grav?",
    "să opresc pastilele de tensiune?",
    "ce antibiotic să iau pentru gât",
    "πόσο depon να δώσω σε παιδί 15 κιλών",
    "μπορώ να σταματήσω την αντιβίωση",
    "η χοληστερίνη μου είναι 260, είναι επικίνδυνο;",
    "τι είναι καλύτερο για τη μέση μου, εγχείρηση ή φυσιοθεραπεία",
    "έχω πίεση 17, να πάρω κι άλλο χάπι",
]
INFORMS = [
    "mag ik eten voor een bloedafname",
    "mag ik met de auto rijden na een narcose",
    "moet ik nuchter zijn voor een gastroscopie",
    "moet ik mijn medicatie meebrengen bij opname",
    "mag ik mijn medicatie nemen op de dag van de operatie",
    "hoe lang duurt een knieprothese operatie",
    "welke arts behandelt borstkanker",
    "wat is artrose",
    "wat zijn de risico's van een narcose",
    "mag ik bezoek krijgen na mijn operatie",
    "waar vind ik mijn resultaten",
    "hoeveel kost een mri",
    "moet ik een afspraak maken voor een bloedafname",
    "is er een dieetadvies bij diabetes in jullie brochure",
    "kan mijn kind bij mij slapen",
    "mag ik douchen na de ingreep",
    "do I need a referral for cardiology",
    "can I eat before my scan",
    "which doctor treats diabetes",
    "how do I get my test results",
    "may I bring my own medication",
    "what is a colonoscopy",
    "how should I prepare for surgery",
    "faut-il être à jeun pour une prise de sang",
    "puis-je prendre mes médicaments avant l'opération",
    "quel médecin pour le diabète",
    "combien coûte une radio",
    "comment obtenir mes résultats",
    "muss ich für die blutabnahme nüchtern sein",
    "welche medikamente soll ich mitbringen",
    "wer behandelt schilddrüsenerkrankungen",
    "darf ich nach der operation auto fahren",
    "ameliyattan önce su içebilir miyim",
    "tahlil sonuçlarımı nereden alabilirim",
    "hangi doktor tiroide bakar",
    "ilaçlarımı getirmeli miyim",
    "posso mangiare prima dell'esame",
    "devo portare i miei farmaci",
    "chi cura la tiroide",
    "come ricevo i risultati",
    "pot să mănânc înainte de analize",
    "ce medic tratează diabetul",
    "trebuie să aduc medicamentele mele",
    "πρέπει να είμαι νηστικός για αιμοληψία",
    "ποιος γιατρός βλέπει θυρεοειδή",
    "να φέρω τα φάρμακά μου",
    "wat is het verschil tussen een MRI en een CT scan",
    "hebben jullie een diabetesverpleegkundige",
    "tot welke leeftijd is mijn kind bij de kinderarts",
    "mijn kind van 5 jaar moet geopereerd worden, mag ik erbij blijven",
    "hoeveel weken op voorhand moet ik een afspraak maken",
    "wat moet ik doen als ik mijn afspraak vergeten ben",
    "kan ik een kopie van mijn dossier krijgen",
    "ik ben zwanger, waar kan ik terecht voor een echo",
    "mag ik mijn baby zelf wassen op de materniteit",
    "bij welke dienst kan ik terecht met hoge bloeddruk",
    "is een operatie aan de prostaat pijnlijk",
    "doen jullie bestraling of moet ik naar een ander ziekenhuis",
]


@cache
def advice() -> AdviceCues:
    return snapshot().derived(advice_cues_of)


@pytest.mark.parametrize("question", ASKS)
def test_blocks_advice(question: str) -> None:
    assert advice().check(question).blocks


@pytest.mark.parametrize("question", INFORMS)
def test_lets_information_pass(question: str) -> None:
    assert not advice().check(question).blocks


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("Hoeveel paracetamol voor een kind van 18 kg?", id="a weight"),
        pytest.param("een kind van 18kg, ibuprofen?", id="a weight without a space"),
        pytest.param("mag mijn dochter van 11 jaar dafalgan", id="an age"),
        pytest.param("dosering voor 11 jaar", id="a dose and an age"),
        pytest.param("quelle dose de paracétamol pour 15 kg", id="French"),
        pytest.param("18 kiloluk çocuğa parasetamol", id="Turkish"),
        pytest.param("παρακεταμόλη για παιδί 15 κιλά", id="Greek"),
        pytest.param("dosis paracetamol, Kind mit 18 Kilo", id="German"),
        pytest.param("paracetamol for a child of 18 kg", id="English"),
        pytest.param("paracetamolo per un bambino di 18 kg", id="Italian"),
        pytest.param("ce doză de paracetamol pentru 18 kg", id="Romanian"),
    ],
)
def test_a_dose_by_weight_or_age_is_advice(question: str) -> None:
    """Incident 4: "een kind van 18 kg" slipped past a gate that knew only "kinderen"."""
    assert advice().check(question).blocks


@pytest.mark.parametrize(
    ("question", "blocks"),
    [
        ("wat is volgens jullie brochure de dosis paracetamol voor kinderen?", False),
        ("wat is volgens jullie brochure de dosis paracetamol voor mijn dochter?", True),
    ],
)
def test_what_a_page_says_may_be_asked_but_not_for_one_person(
    question: str, *, blocks: bool
) -> None:
    assert advice().check(question).blocks is blocks


def test_says_why() -> None:
    assert advice().check("paracetamol voor 18 kg").evidence == ("paracetamol", "kg")


def test_every_slot_of_every_rule_is_filled_in_every_language() -> None:
    rows = default_rows(ROWS["chat.advicephrase"])
    filled = {(row["kind"], row["language"]) for row in rows if row["role"] == "slot"}
    rules = [rule("", row["text"]) for row in rows if row["role"] == "rule"]
    named = {slot for one in rules for slot in one.slots} - {COUNT, NUMBER}

    in_any = {slot for slot, language in filled if language == EVERY}
    lacking = [(s, c) for s in sorted(named - in_any) for c in LANGUAGES if (s, c) not in filled]
    assert lacking == []


@pytest.mark.parametrize(
    "question",
    [
        "mag ik atorvastatine nemen met pompelmoessap",
        "kann ich amlodipin mit bier nehmen",
        "posso prendere il pantoprazolo con il vino",
    ],
)
def test_a_medicine_is_known_by_its_family(question: str) -> None:
    assert advice().check(question).blocks


def test_a_word_of_a_row_may_stand_for_its_end_or_its_middle() -> None:
    rows = [
        {"kind": "taking", "language": "any", "role": "rule", "text": "{may} {med}"},
        {"kind": "may", "language": "nl", "role": "slot", "text": "mag"},
        {"kind": "med", "language": "nl", "role": "slot", "text": "*pil"},
        {"kind": "med", "language": "nl", "role": "slot", "text": "*statin*"},
    ]
    cues = AdviceCues(rows)

    assert cues.check("mag mijn plaspil").blocks
    assert cues.check("mag simvastatines").blocks
    assert not cues.check("mag mijn pillendoos").blocks


@pytest.mark.parametrize(
    "question",
    [
        "I have a lump in my breast, is it cancer, and do you treat that here?",
        "ho un nodulo al seno, è un tumore? come lo curate?",
        "is mijn bloeddruk van 190 gevaarlijk, wie doet daar iets aan",
        "come curate la polmonite, meglio amoxicillina o azitromicina?",
        "welke dokter zegt mij of ferritine 12 te laag is",
    ],
)
def test_asking_who_treats_it_spares_no_advice_about_a_person(question: str) -> None:
    assert advice().check(question).blocks
