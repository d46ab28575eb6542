"""Parsing, normalisation and printing of values."""

import pytest

from taxonomy.facts.parts import WrongPart, format_line
from taxonomy.facts.phrases import CODES
from taxonomy.facts.print import format_value
from taxonomy.facts.records import KINDS, FactContext, read_record, read_value

KEPT = [
    ("hours", "weekdagen 9u-12u en 13u30-17u", "ma-vr 9:00-12:00; ma-vr 13:30-17:00"),
    ("hours", "dag en nacht", "dag en nacht"),
    ("hours", "Maandag 9-12 uur | holidays: zo", "ma 9:00-12:00 | holidays: zo"),
    ("hours", "ma 9-12 | dates: 2026-12-24 9-10; 12-31 closed", "ma 9:00-12:00 | dates: 2026-12-24 9:00-10:00; 12-31 gesloten"),
    ("hours", "ma 9-12 | periods: 07-01/08-31 di 9-10", "ma 9:00-12:00 | periods: 07-01/08-31 di 9:00-10:00"),
    ("money", "€ 1,80 | per: begonnen uur", "1.80 | per: begun_hour"),
    ("money", "gratis", "0"),
    ("money", "45-60 euro | for nl: jongeren", "45-60 | for nl: jongeren"),
    ("money", "1 | free: 30 minuten | maximum: 9 | maximum per: dag", "1 | free: 30 minute | maximum: 9 | maximum per: day"),
    ("duration", "20 tot 30 minuten", "20-30 minute"),
    ("duration", "2 Wochen", "2 week"),
    ("place", "noord | floor: +4 | route: 36", "noord | floor: 4 | route: 36"),
    ("contact", "089 00 50 50 | staffed: ma-vr 9-12u", "089 00 50 50 | staffed: ma-vr 9:00-12:00"),
    ("items", "kaart ; lijst | en: card; list", "nl: kaart; lijst | en: card; list"),
    ("text", "Gratis: vraag het onthaal", "nl: Gratis: vraag het onthaal"),
    ("yesno", "ja | why nl: met kaart", "yes | why nl: met kaart"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "written", "kept"), KEPT)
def test_usual_notations_are_normalised_and_read_back(kind, written, kept):
    value = read_value(written, kind, "nl")

    assert format_line(value) == kept
    assert read_value(kept, kind, "nl") == value
    assert read_value(value.parts(), kind, "nl") == value


@pytest.mark.parametrize("language", CODES)
@pytest.mark.parametrize(("kind", "written", "_kept"), KEPT)
def test_every_kind_is_printed_in_every_language(kind, written, _kept, language):
    assert format_value(read_value(written, kind, "nl"), language).strip()


REFUSED = [
    ("hours", "ma 9-12 op afspraak", "week", "afspraak"),
    ("hours", "ma 9-12; ma 11-13", "week", "9:00-12:00, 11:00-13:00"),
    ("hours", "ma 9-12 | dates: 2026-02-30 closed", "dates", "2026-02-30"),
    ("hours", "ma 9-12 | periods: 2026-08-31/2026-07-01 ma 9-10", "periods", "2026-08-31/2026-07-01"),
    ("money", "veel", "amount", "veel"),
    ("money", "2 | per: uurtje", "per", "uurtje"),
    ("money", "9 | maximum: 5", "maximum", "5"),
    ("money", "2 | unit: XQX", "unit", "XQX"),
    ("duration", "even", "time", "even"),
    ("place", "noord | floor: hoog", "floor", "hoog"),
    ("contact", "089 00 50 50 | mail: onthaal", "mail", "onthaal"),
    ("items", "a; b | en: a", "en", "nl 2, en 1"),
    ("yesno", "misschien", "answer", "misschien"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "written", "name", "part"), REFUSED)
def test_invalid_values_are_refused_with_the_invalid_part(kind, written, name, part):
    with pytest.raises(WrongPart) as refused:
        read_value(written, kind, "nl")

    assert (refused.value.name, refused.value.part) == (name, part)
    assert "%(" not in str(refused.value)


def test_undiallable_numbers_and_unknown_campuses_are_refused():
    with pytest.raises(WrongPart, match="not a complete telephone number"):
        read_value("12 34", "contact", "nl").validate("be", ())
    with pytest.raises(WrongPart, match="choose from noord"):
        read_value("zuid", "place", "nl").validate("be", ("noord",))


@pytest.mark.parametrize(
    ("kind", "written", "language", "words"),
    [
        ("hours", "ma-vr 9-17; za 9-12 | holidays: gesloten", "nl",
         "maandag-vrijdag 9:00-17:00, zaterdag 9:00-12:00; gesloten op feestdagen"),
        ("hours", "elke dag 14-20", "fr", "tous les jours 14:00-20:00"),
        ("hours", "dag en nacht", "tr", "gece gündüz"),
        ("hours", "di, do 9-10", "de", "Dienstag und Donnerstag 9:00-10:00"),
        ("money", "1,8 | per: uur | free: 30 minuten | maximum: 9 | maximum per: dag", "en",
         "€1.80 per hour, first 30 minutes free, at most €9.00 per day"),
        ("money", "gratis", "it", "gratuito"),
        ("duration", "20-30 minuten", "ro", "20-30 de minute"),
        ("place", "noord | floor: 0 | route: 15", "el", "noord, ισόγειο, διαδρομή 15"),
        ("items", "kaart; lijst | en: card; list", "fr", "card and list"),
        ("items", "kom; zit | ordered: ja", "nl", "1. kom 2. zit"),
        ("yesno", "nee | why nl: nooit | why en: never", "en", "no (never)"),
    ],
)  # fmt: skip
def test_values_are_printed_in_the_patients_language(kind, written, language, words):
    assert format_value(read_value(written, kind, "nl"), language) == words


def test_every_part_has_a_form_field():
    for kind in KINDS.values():
        assert sum(part.is_main for part in kind.PARTS) == 1
        assert len({part.name for part in kind.PARTS}) == len(kind.PARTS)


def test_days_are_written_in_the_hospitals_language():
    french = FactContext("be", "fr", frozenset())
    cells = {"need": "opening_hours", "value": "ma-ve 9h00-12h00; di 10h-11h | holidays: di"}

    kept = read_record(cells, french)

    assert kept.line == ("mardi-vendredi 9:00-12:00; dimanche 10:00-11:00 | holidays: dimanche")
    assert read_record(cells | {"value": kept.line}, french) == kept
    assert [bool(spans) for spans in kept.value.week] == [False, *[True] * 4, False, True]
