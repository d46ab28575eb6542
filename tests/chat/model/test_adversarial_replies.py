"""Sixty statements in which something is wrong: nothing of it reaches the patient, at no moment."""

from __future__ import annotations

import pytest

from tests.chat.model.conftest import QUESTION, said

GOOD = said("Na een ingreep krijgt uw kind pijnstilling mee.", "pijnstilling mee")
CALL, COSTS = "Bel bij vragen", "De siroop kost"
NEAREST = {"Bel": CALL, "bel": CALL, "call": CALL, "nummer": CALL, "kost": COSTS, "gratis": COSTS}
#: What the page itself says of these.
QUOTED = "7,50 euro"
ASKED = {
    "nl": QUESTION,
    "en": "What does the syrup cost at the pharmacy?",
    "fr": "Quelles informations sur le sirop après une opération ?",
    "de": "Welche Informationen gibt es zur Schmerzlinderung nach dem Eingriff?",
}
#: What the model adds to a good sentence, and what the patient must never have read.
REPLIES = [
    # invented doses
    ("Geef 25 ml siroop per keer [1].", "25 ml"),
    ("De dosis is 500 mg om de 6 uur [1].", "500 mg"),
    ("U mag 12 ml geven [1].", "12 ml"),
    ("Neem drie tabletten per dag [1].", "drie tabletten"),
    ("Geef twaalf ml, vier keer per dag [1].", "twaalf ml"),
    ("Een half zakje volstaat [1].", "half zakje"),
    ("Geef 6 ml, vijf keer per dag [1].", "vijf keer"),
    ("De hoeveelheid is 11,5 ml [1].", "11,5"),
    ("Begin met 15 druppels [1].", "15 druppels"),
    ("Give 20 ml twice a day [1].", "20 ml"),
    ("Donnez 9 ml par prise [1].", "9 ml"),
    ("Geben Sie 10 ml alle 8 Stunden [1].", "10 ml"),
    ("Günde 5 ölçek verin [1].", "5 ölçek"),
    # an age or weight beyond the table, or a row mixed with another
    ("Een kind van 11 jaar krijgt 11 ml, 3 keer per dag [1].", "11 jaar krijgt"),
    ("Voor 12 jaar is het 13 ml [1].", "12 jaar"),
    ("Vanaf 35 kg geeft u 11 ml [1].", "35 kg"),
    ("Een baby van 1 jaar krijgt 6 ml [1].", "1 jaar"),
    ("Van 4 tot 6 jaar geeft u 11 ml [1].", "geeft u 11 ml"),
    ("Van 2 tot 3 jaar is het 8 ml [1].", "is het 8 ml"),
    ("Van 7 tot 10 jaar is het 11 ml, 4 keer per dag [1].", "11 ml, 4 keer"),
    ("Een kind van 22 tot 32 kg krijgt 6 ml [1].", "krijgt 6 ml"),
    ("Van 2 tot 10 jaar volstaat 8 ml [1].", "volstaat 8 ml"),
    ("Kinder von elf Jahren bekommen 11 ml [1].", "elf Jahren"),
    ("Un enfant de douze ans reçoit 11 ml [1].", "douze ans"),
    # swapped and invented telephone numbers
    ("Bel naar 011 00 11 99 [1].", "011 00 11 99"),
    ("Bel naar Longziekten op 011 00 11 20 [1].", "011 00 11 20"),
    ("Oogziekten bereikt u op 011 00 11 10 [1].", "Oogziekten bereikt"),
    ("Het nummer is +32 11 00 11 77 [1].", "11 77"),
    ("Bel 0800 12 345 [1].", "0800"),
    ("Telefoon: 011/00.11.12 [1].", "00.11.12"),
    ("De sociale dienst heeft nummer 011 00 11 10 [1].", "sociale dienst"),
    # invented and wrong doctors
    ("Vraag naar dokter Verstraeten [1].", "Verstraeten"),
    ("Dr. Jan Peeters volgt uw kind op [1].", "Peeters"),
    ("Dr. Luc Van der Aa legt het schema uit [1].", "Luc Van der Aa"),
    ("Prof. Marie Dubois maakte het schema [1].", "Dubois"),
    ("Ask Dr. Emre Çalışkan about it [1].", "Çalışkan"),
    ("Contactez le docteur Lambert [1].", "Lambert"),
    ("Fragen Sie Dr. Schneider [1].", "Schneider"),
    ("Chieda al dottor Rossi [1].", "Rossi"),
    # wrong departments
    ("Oogziekten overloopt het schema met u [1].", "Oogziekten"),
    ("Ga daarvoor naar de B3-afdeling [1].", "B3"),
    ("The ophthalmology department gives the syrup [1].", "ophthalmology"),
    ("De sociale dienst geeft de siroop mee [1].", "sociale dienst"),
    # sources that do not exist, or none
    ("De siroop is gratis [9].", "gratis"),
    ("Zie ook onze folder [40].", "Zie ook"),
    ("De siroop mag in de koelkast.", "koelkast"),
    ("Ouders zijn altijd tevreden over deze aanpak.", "tevreden"),
    ("Lees meer [12].", "Lees meer"),
    ("Dit middel is veilig [0].", "veilig"),
    # prices, hours and dates
    ("De siroop kost 17,50 euro [1].", "17,50"),
    ("De siroop kost 75 euro [1].", "75 euro"),
    ("U kunt bellen tussen 8:00 en 16:00 [1].", "8:00"),
    ("U kunt bellen van 9 tot 20 uur [1].", "20 uur"),
    ("You can call until 9 pm [1].", "9 pm"),
    ("Het schema geldt tot 12/03/2027 [1].", "2027"),
    ("In 95 % van de gevallen helpt dit [1].", "95"),
    # diagnoses and orders
    ("U hebt waarschijnlijk een ontsteking [1].", "ontsteking"),
    ("You probably have an infection [1].", "infection"),
    ("Stop met uw medicatie [1].", "Stop met"),
    ("U hoeft niet naar de dokter [1].", "hoeft niet"),
]


@pytest.mark.parametrize(("bad", "never"), REPLIES, ids=[bad for bad, _ in REPLIES])
def test_what_is_wrong_is_not_said_and_what_is_right_stays(stack, bad, never, settings):
    """Each names the line that is nearest to it, and no verdict helps."""
    settings.MODEL_VERIFY = False
    text, _, source = bad.rstrip(".").rpartition(" [")
    stack.play(GOOD, said(text or bad, *([nearest(bad)] if source == "1]" else ["nowhere"])))

    ctx = stack.ask()

    assert never not in ctx.answer.replace(QUOTED, "")
    assert ctx.answer.startswith(f"{GOOD['text']} [1]")
    assert stack.fates[1] in ("quoted instead", "left out")


def nearest(bad):
    """A word of the line that a wrong statement would name."""
    for sign, words in NEAREST.items():
        if sign in bad:
            return words
    return "4 tot 6 jaar"


@pytest.mark.parametrize(
    ("good", "line"),
    [
        ("Bij vragen belt u Longziekten op 011 00 11 10.", CALL),
        ("Longziekten is bereikbaar op +32 11 00 11 10, op werkdagen van 9 tot 16 uur.", CALL),
        ("You can call on weekdays between 9 am and 4 pm.", CALL),
        ("Vous pouvez appeler de 9h00 à 16h00.", CALL),
        ("The syrup costs €7.50.", COSTS),
        ("De siroop kost 7,5 euro.", COSTS),
        ("Zu Fragen erreichen Sie Longziekten werktags von 9 bis 16 Uhr.", CALL),
    ],
)
def test_what_the_line_says_stays_however_it_is_written(stack, good, line):
    stack.play(said(good, line))

    language = {"You": "en", "The": "en", "Vous": "fr", "Zu": "de"}.get(good.split()[0], "nl")
    ctx = stack.ask(ASKED[language], language=language)

    assert ctx.reply.engine == "model", stack.trace["generation"].detail
    assert ctx.answer.startswith(good)
