"""A message that asks two things is split, one that is only courteous is answered as such."""

import pytest

from tests.chat.question.readers import asked


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        pytest.param(
            "Wat zijn de bezoekuren en bij wie kan ik terecht voor suikerziekte?",
            ("Wat zijn de bezoekuren", "bij wie kan ik terecht voor suikerziekte?"),
            id="joined by and",
        ),
        pytest.param(
            "Waar kan ik parkeren en op welke dienst word ik geholpen met suikerziekte?",
            ("Waar kan ik parkeren", "op welke dienst word ik geholpen met suikerziekte?"),
            id="a word between the conjunction and what asks",
        ),
        pytest.param(
            "Mijn moeder heeft suikerziekte. Welke dienst is dat? Waar kan ik parkeren?",
            ("Mijn moeder heeft suikerziekte. Welke dienst is dat?", "Waar kan ik parkeren?"),
            id="what is told goes with the question behind it",
        ),
    ],
)
def test_splits_plain_conjunctions(question: str, parts: tuple[str, ...]) -> None:
    assert asked(question).parts == parts


@pytest.mark.parametrize(
    "question",
    [
        "Waar kan ik parkeren?",
        "Hallo. Waar kan ik parkeren?",
        "mijn moeder heeft suikerziekte en ze woont alleen, welke dienst is dat?",
        "Wat is het telefoonnummer van dr. Van den Berg?",
    ],
)
def test_leaves_one_question_whole(question: str) -> None:
    assert asked(question).parts == ()


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        ("en", "Where can I park", "and who works in cardiology?"),
        ("fr", "Où puis-je me garer", "et qui travaille en cardiologie ?"),
        ("de", "Wo kann ich parken", "und wer arbeitet in der Kardiologie?"),
        ("tr", "Otopark nerede", "ve kardiyolojide kim çalışıyor?"),
        ("it", "Dove posso parcheggiare", "e chi lavora in cardiologia?"),
        ("ro", "Unde pot parca", "și cine lucrează la cardiologie?"),
        ("el", "Πού μπορώ να παρκάρω", "και ποιος εργάζεται στην καρδιολογία;"),
    ],
)
def test_two_questions_are_heard_in_every_language(language: str, first: str, second: str) -> None:
    parts = asked(f"{first} {second}", page=language).parts

    assert parts == (first, second.partition(" ")[2])


@pytest.mark.parametrize(
    ("message", "greeting"),
    [
        ("Goedemorgen", "greeting"), ("dank u wel!", "thanks"), ("Merci pour l'explication", "thanks"),
        ("tot ziens", "goodbye"), ("teşekkürler", "thanks"), ("kan ik een medewerker spreken?", "person"),
        ("are you a robot?", "identity"), ("ευχαριστώ πολύ", "thanks"), ("mulțumesc", "thanks"),
        ("Hallo, waar kan ik parkeren?", ""), ("Bedankt! Tot hoe laat is het bezoek?", ""),
        ("bedankt, mijn borst doet pijn", ""),
    ],
)  # fmt: skip
def test_courtesy_is_told_from_a_courteous_question(message: str, greeting: str) -> None:
    assert asked(message).greeting == greeting
