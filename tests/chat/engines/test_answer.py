"""The embedded engine shows published lines or a section of a page, with its certainty."""

from dataclasses import replace

import pytest

from chat.checking.base import Citation, Claim, Form, Line, LineKind, NumberedEvidence, Role, Source
from chat.engines.embedded.answer import generate
from retrieval.intents import Intent
from taxonomy.lookup.finding import Finding, FindingKind
from taxonomy.vocabulary import Kind, Thing
from tests.builders import context, meant, tools
from tests.chat.question.readers import snapshot as house


def page(n: int, title: str, *lines: Line) -> Source:
    return Source(Citation(n, title, f"https://ziekenhuis.test/{n}"), lines)


def line(at: str, text: str, above: str = "", kind: LineKind = LineKind.SENTENCE, **more) -> Line:
    return Line(at, text, above, kind=kind, **more)


DESK = line("1.1", "Cardiologie: 089 00 51 03", kind=LineKind.FACT, role=Role.DESK)
PARKING = page(
    2,
    "Parkeren",
    line("2.1", "De parking is dag en nacht open.", "Openingsuren"),
    line("2.2", "Auto: € 2 per uur", "Tarieven", LineKind.ROW),
    line("2.3", "Fiets: gratis", "Tarieven", LineKind.ROW),
)
VISITS = page(3, "Bezoek", line("3.1", "Bezoek is welkom vanaf twee uur.", "Bezoekuren"))
EVIDENCE = NumberedEvidence((page(1, "Gepubliceerd", DESK), PARKING, VISITS))


def shown(question: str, evidence: NumberedEvidence = EVIDENCE, told=(), need="", **learned):
    """Return the claims of an answer; lines with words of the question score best."""
    kit = tools(likeness=likeness, needs=lambda ctx: {need: 1.0} if need else {})
    fields = {"understanding": meant(query=question), "evidence": evidence} | learned
    return list(generate(context(question, **fields), told, kit))


def likeness(asked, texts):
    return [float(any(w in text.lower() for w in asked.asked.split())) for text in texts]


def ids(claims, form=Form.SHOW):
    return [each for claim in claims if claim.form is form for each in claim.lines]


def test_the_section_that_answers_is_shown_whole_and_nothing_of_another_page():
    claims = shown("tarieven auto")

    assert ids(claims) == ["2.2", "2.3"]
    assert not any(claim.form is Form.MISSING for claim in claims)


def test_a_desk_answers_only_questions_about_contact():
    assert ids(shown("nummer cardiologie", need="contact")) == ["1.1"]
    assert "1.1" not in ids(shown("tarieven auto", need="price"))


def test_what_was_shown_before_is_not_shown_again():
    told = [Claim("De auto kost € 2.", ("2.2",))]

    assert ids(shown("tarieven auto", told=told)) == ["2.3"]


def test_nothing_is_shown_if_no_line_matches():
    assert shown("helikopter") == []


def test_each_part_of_a_question_has_its_own_section():
    parts = tuple(
        context(each, understanding=meant(query=each)) for each in ("tarieven auto", "bezoekuren")
    )
    ctx = context("tarieven auto en bezoekuren", parts=parts, evidence=EVIDENCE)

    found = ids(generate(ctx, (), tools(likeness=likeness)))

    assert {"2.2", "3.1"} <= set(found)
    assert len(found) == len(set(found))


@pytest.mark.parametrize("count", [8, 40])
def test_a_long_table_is_shown_by_the_rows_that_match(count):
    rows = [
        line(f"2.{n}", f"Afdeling: {name}; Uren: 14-20", "Uren per afdeling", LineKind.ROW)
        for n, name in enumerate(["geriatrie", *(f"afdeling {n}" for n in range(count))], start=1)
    ]
    table = NumberedEvidence((page(1, "Gepubliceerd"), page(2, "Bezoekuren", *rows)))

    found = ids(shown("geriatrie", table))

    assert "2.1" in found
    assert len(found) <= 12


def test_a_second_place_that_scores_about_as_well_is_shown():
    preparation = page(
        2,
        "Gastroscopie",
        line("2.1", "Eten mag weer na een uur.", "Nadien"),
        line("2.2", "Zes uur vooraf niet eten.", "Nuchter"),
    )

    found = ids(
        shown("eten gastroscopie", NumberedEvidence((page(1, "Gepubliceerd"), preparation)))
    )

    assert set(found) == {"2.1", "2.2"}


def test_the_row_of_what_is_asked_stands_without_the_rows_of_others_or_the_general_rule():
    def row(at, ward, hours):
        cells = (("Afdeling", ward), ("Uren", hours))
        text = f"Afdeling: {ward}; Uren: {hours}"
        return line(at, text, "Uren per afdeling", LineKind.ROW, cells=cells)

    visits = page(
        2,
        "Bezoekuren",
        line("2.1", "Bezoek is welkom van 14 tot 20 uur.", "Algemeen"),
        row("2.2", "geriatrie", "11-20"),
        row("2.3", "materniteit", "15-19"),
    )

    found = ids(shown("bezoek geriatrie", NumberedEvidence((page(1, "Gepubliceerd"), visits))))

    assert found == ["2.2"]


def test_a_list_of_doctors_is_no_answer_to_who_asks_for_the_number():
    doctor = line("1.2", "Dr. Peeters", "Artsen", LineKind.FACT, role=Role.ANSWER)
    evidence = NumberedEvidence((page(1, "Gepubliceerd", DESK, doctor), VISITS))
    roster = Finding(FindingKind.ROSTER, Thing(Kind.DEPARTMENT, "cardiologie", "Cardiologie"))

    assert ids(shown("nummer cardiologie", evidence, need="contact", findings=(roster,))) == ["1.1"]


def test_the_desk_of_a_campus_is_no_answer_to_what_is_there():
    desk = line("1.1", "Campus Noord: 089 00 50 50", kind=LineKind.FACT, role=Role.DESK,
                owners=("campus:noord",))  # fmt: skip
    evidence = NumberedEvidence((page(1, "Gepubliceerd", desk), VISITS))

    assert shown("kapper noord", evidence, need="offered") == []
    assert ids(shown("nummer noord", evidence, need="contact")) == ["1.1"]


def test_rows_for_others_do_not_take_the_place_of_those_that_may_answer():
    def row(at, who, price):
        cells = (("Wie", who), ("Prijs", price))
        return line(at, f"Wie: {who}; Prijs: {price}", "Zwembad", LineKind.ROW, cells=cells)

    pool = page(
        2, "Zwembad", row("2.1", "volwassene met abonnement", "€ 9"), row("2.2", "kind", "€ 2")
    )

    kit = tools(snapshot=house(), likeness=likeness)
    ctx = context(
        "abonnement zwembad kind",
        understanding=meant(query="abonnement zwembad kind"),
        evidence=NumberedEvidence((page(1, "Gepubliceerd"), pool)),
    )

    assert ids(generate(ctx, (), kit)) == ["2.2"]


def test_pages_come_before_a_desk_where_reaching_it_is_not_all_that_is_asked():
    desk = replace(DESK, owners=("department:cardiologie",))
    evidence = NumberedEvidence((page(1, "Gepubliceerd", desk), PARKING))
    lookup = meant(query="tarieven cardiologie", intent=Intent.DEPARTMENT_OR_SERVICE_LOOKUP)

    found = ids(shown("tarieven cardiologie", evidence, need="preparation", understanding=lookup))
    reached = ids(shown("tarieven cardiologie", evidence, need="appointment", understanding=lookup))

    assert found.index("2.2") < found.index("1.1")
    assert reached[0] == "1.1"


def test_what_a_campus_has_is_no_answer_to_who_asks_for_something_else_there():
    campus = Thing(Kind.CAMPUS, "noord", "Campus Noord")
    there = line("1.1", "Cardiologie", "Op Campus Noord vindt u deze diensten:", LineKind.FACT,
                 role=Role.ANSWER, owners=("department:cardiologie",))  # fmt: skip
    evidence = NumberedEvidence((page(1, "Gepubliceerd", there), VISITS))
    lookup = meant(campus, query="kapper", intent=Intent.DEPARTMENT_OR_SERVICE_LOOKUP)

    assert shown("kapper noord", evidence, need="offered", understanding=lookup) == []


def test_a_department_does_not_tell_whether_something_else_is_offered_there():
    desk = replace(DESK, owners=("department:cardiologie",))
    evidence = NumberedEvidence((page(1, "Gepubliceerd", desk), VISITS))

    assert shown("yoga sauna cardiologie", evidence, need="offered") == []
    assert ids(shown("cardiologie", evidence, need="offered")) == ["1.1"]


@pytest.mark.parametrize(("like", "is_shown"), [(0.4, False), (0.9, True)])
def test_a_question_that_seems_off_topic_needs_a_surer_line(like, is_shown):
    def told(intent):
        understood = meant(query="tarieven auto", intent=intent)
        ctx = context("tarieven auto", understanding=understood, evidence=EVIDENCE)
        return ids(generate(ctx, (), tools(likeness=lambda asked, texts: [like] * len(texts))))

    assert told(Intent.NAVIGATION_OR_PRACTICAL_INFO)
    assert bool(told(Intent.OFF_TOPIC)) is is_shown


def test_a_page_in_a_second_foreign_language_says_nothing_new():
    lines = [
        line(f"{n}.1", f"Parking auto € {n}", "Tarieven", language=code)
        for n, code in ((2, "en"), (3, "fr"))
    ]
    pages = (page(n, f"Parking {n}", each) for n, each in enumerate(lines, start=2))

    found = ids(shown("parking auto", NumberedEvidence((page(1, "Gepubliceerd"), *pages))))

    assert found == ["2.1"]
