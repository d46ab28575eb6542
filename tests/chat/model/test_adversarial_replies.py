"""Statements in which something is wrong: nothing of it reaches the patient, at no moment."""

import pytest

from chat.engines.model.answer import MOST_STATEMENTS
from tests.chat.model.conftest import QUESTION, said

GOOD = said("Na een ingreep krijgt uw kind pijnstilling mee.", "pijnstilling mee")
CALL, COSTS = "Bel bij vragen", "De siroop kost"
NEAREST = {"Bel": CALL, "bel": CALL, "call": CALL, "nummer": CALL, "kost": COSTS, "gratis": COSTS}
#: What the page itself says of these.
QUOTED = "7,50 euro"
#: What the model adds to a good sentence, and what the patient must never have read.
REPLIES = [
    # invented doses
    ("U mag 12 ml geven [1].", "12 ml"),
    ("Neem drie tabletten per dag [1].", "drie tabletten"),
    ("Geef twaalf ml, vier keer per dag [1].", "twaalf ml"),
    ("Geef 6 ml, vijf keer per dag [1].", "vijf keer"),
    ("Begin met 15 druppels [1].", "15 druppels"),
    ("Donnez 9 ml par prise [1].", "9 ml"),
    ("Günde 5 ölçek verin [1].", "5 ölçek"),
    # an age or weight beyond the table, or a row mixed with another
    ("Een kind van 11 jaar krijgt 11 ml, 3 keer per dag [1].", "11 jaar krijgt"),
    ("Van 4 tot 6 jaar geeft u 11 ml [1].", "geeft u 11 ml"),
    ("Van 7 tot 10 jaar is het 11 ml, 4 keer per dag [1].", "11 ml, 4 keer"),
    ("Een kind van 22 tot 32 kg krijgt 6 ml [1].", "krijgt 6 ml"),
    ("Kinder von elf Jahren bekommen 11 ml [1].", "elf Jahren"),
    # swapped and invented telephone numbers
    ("Bel naar 011 00 11 99 [1].", "011 00 11 99"),
    ("Bel naar Longziekten op 011 00 11 20 [1].", "011 00 11 20"),
    ("Oogziekten bereikt u op 011 00 11 10 [1].", "Oogziekten bereikt"),
    ("Bel 0800 12 345 [1].", "0800"),
    # invented and wrong doctors
    ("Vraag naar dokter Verstraeten [1].", "Verstraeten"),
    ("Dr. Luc Van der Aa legt het schema uit [1].", "Luc Van der Aa"),
    ("Ask Dr. Emre Çalışkan about it [1].", "Çalışkan"),
    # wrong departments
    ("Oogziekten overloopt het schema met u [1].", "Oogziekten"),
    ("The ophthalmology department gives the syrup [1].", "ophthalmology"),
    # sources that do not exist, or none
    ("De siroop is gratis [9].", "gratis"),
    ("De siroop mag in de koelkast.", "koelkast"),
    ("Ouders zijn altijd tevreden over deze aanpak.", "tevreden"),
    ("Dit middel is veilig [0].", "veilig"),
    # prices, hours and dates
    ("De siroop kost 17,50 euro [1].", "17,50"),
    ("U kunt bellen van 9 tot 20 uur [1].", "20 uur"),
    ("You can call until 9 pm [1].", "9 pm"),
    ("Het schema geldt tot 12/03/2027 [1].", "2027"),
    ("In 95 % van de gevallen helpt dit [1].", "95"),
    # diagnoses and orders
    ("U hebt waarschijnlijk een ontsteking [1].", "ontsteking"),
    ("Stop met uw medicatie [1].", "Stop met"),
    ("U hoeft niet naar de dokter [1].", "hoeft niet"),
]


@pytest.mark.parametrize("at", range(0, len(REPLIES), MOST_STATEMENTS - 1))
def test_what_is_wrong_is_not_said_and_what_is_right_stays(stack, at, settings):
    """Each names the line that is nearest to it, and no verdict helps."""
    settings.MODEL_VERIFY = False
    replies = REPLIES[at : at + MOST_STATEMENTS - 1]
    stack.play(GOOD, *(wrong(bad) for bad, _ in replies))

    ctx = stack.ask()

    assert [never for _, never in replies if never in ctx.answer.replace(QUOTED, "")] == []
    assert ctx.answer.startswith(f"{GOOD['text']} [1]")
    assert len(stack.fates) == 1 + len(replies)
    assert set(stack.fates[1:]) <= {"quoted instead", "left out"}


def wrong(bad):
    """A wrong statement with the line that it would name."""
    text, _, source = bad.rstrip(".").rpartition(" [")
    words = next((words for sign, words in NEAREST.items() if sign in bad), "4 tot 6 jaar")
    return said(text or bad, words if source == "1]" else "nowhere")


@pytest.mark.parametrize(
    ("language", "question", "good", "line"),
    [
        ("nl", QUESTION, "Longziekten is bereikbaar op +32 11 00 11 10, van 9 tot 16 uur.", CALL),
        ("nl", QUESTION, "De siroop kost 7,5 euro.", COSTS),
        ("en", "What does the syrup cost at the pharmacy?", "The syrup costs €7.50.", COSTS),
        ("fr", "Quelles informations sur le sirop après une opération ?",
         "Vous pouvez appeler de 9h00 à 16h00.", CALL),
        ("de", "Welche Informationen gibt es zur Schmerzlinderung nach dem Eingriff?",
         "Zu Fragen erreichen Sie Longziekten werktags von 9 bis 16 Uhr.", CALL),
    ],
)  # fmt: skip
def test_what_the_line_says_stays_however_it_is_written(stack, language, question, good, line):
    stack.play(said(good, line))

    ctx = stack.ask(question, language=language)

    assert ctx.reply.engine == "model", stack.trace["generation"].detail
    assert ctx.answer.startswith(good)
