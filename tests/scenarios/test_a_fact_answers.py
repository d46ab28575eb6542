"""A published fact comes first in an answer, in the visitor's language."""

from dataclasses import replace
from datetime import date, datetime

import pytest

from chat import services
from chat.answer_cache.reuse import may_store
from chat.behaviours import Certainty
from chat.models import CuratedAnswer
from chat.turn import Turn
from taxonomy.dates.reading import Moment
from taxonomy.models import Department, Entity, Fact
from taxonomy.publishing.going_live import activate
from taxonomy.publishing.live import forget_snapshots
from taxonomy.publishing.versions import live_version
from tests.chat.sources.curated import curated
from tests.taxonomy.releases import approver, publish_draft


@pytest.fixture
def answering(mini):
    first = live_version()
    eyes = Department.objects.get(name="Oogziekten")
    for need, value, subject in (
        ("parking_price", "1.80 | per: begun_hour", None),
        ("visiting_hours", "elke dag 14:00-20:00", None),
        ("opening_hours", "ma-vr 8:00-17:00; za 9:00-12:00", eyes),
    ):
        made = Fact(hospital=mini, need=need, value=value, subject=subject)
        made.full_clean()
        made.save()
    publish_draft(mini)
    forget_snapshots()
    yield mini
    Fact.objects.all().delete()
    activate(first, by=approver(mini), why="Zoals het was")


def asked(question, language):
    return services.take_turn(Turn(question, language=language)).context


@pytest.mark.parametrize(
    ("question", "language", "told"),
    [
        ("wat kost parkeren?", "nl", "€ 1,80 per begonnen uur"),
        ("park ücreti ne kadar?", "tr", "€1,80"),
        ("what are the visiting hours?", "en", "every day 14:00-20:00"),
        ("Öffnungszeiten Augenheilkunde", "de", "Samstag 9:00-12:00"),
    ],
)
def test_it_is_told_first_in_the_language_of_the_question(answering, question, language, told):
    first, *_ = asked(question, language).answer.splitlines()
    assert told in first


@pytest.mark.parametrize("conditions", [{"age": "0-15"}, {"a condition of before": "x"}])
def test_what_hangs_on_something_nobody_named_is_not_told(answering, conditions):
    Fact.objects.filter(need="parking_price").update(conditions=conditions)
    publish_draft(answering)
    forget_snapshots()

    assert "1,80" not in asked("wat kost parkeren?", "nl").answer


def test_what_holds_on_one_campus_names_it(answering):
    campus = Entity.objects.filter(kind="campus").first()
    Fact.objects.filter(need="visiting_hours").update(conditions={"campus": campus.key})
    publish_draft(answering)
    forget_snapshots()

    first, *_ = asked("what are the visiting hours?", "en").answer.splitlines()
    assert campus.name in first


def test_the_day_that_is_asked_about_comes_first(answering):
    answer = services.take_turn(
        Turn("is oogziekten open op zondag?", language="nl", at=datetime(2026, 11, 26, 10))
    ).context.answer

    first, *_ = answer.splitlines()
    assert "Oogziekten" in first
    assert "zondag 29 november 2026: gesloten" in first


@pytest.mark.parametrize(
    ("question", "language", "told"),
    [
        (
            "is oogziekten open op donderdag 25 december?", "nl",
            ["25 december 2026 is een vrijdag, geen donderdag", "vrijdag 25 december 2026"],
        ),
        (
            "is oogziekten volgende vrijdag open?", "nl",
            ["vrijdag 18 december 2026: 8:00-17:00", "vrijdag 25 december 2026 (feestdag"],
        ),
        (
            "is oogziekten open op kerstavond?", "nl",
            ["donderdag 24 december 2026 (kerstavond): 8:00-17:00"],
        ),
    ],
)  # fmt: skip
def test_the_day_that_is_meant_is_told_with_its_date(answering, question, language, told):
    asked = Turn(question, language=language, at=datetime(2026, 12, 15, 10))

    first, *_ = services.take_turn(asked).context.answer.splitlines()

    assert [each for each in told if each not in first] == []


def test_a_published_fact_is_sure_of_a_holiday(answering):
    asked = Turn("oogziekten op 25/12 open of dicht", "nl", at=datetime(2026, 12, 15, 10))

    assert services.take_turn(asked).context.reply.certainty is Certainty.FACT


def test_what_holds_now_is_kept_for_nobody_else(answering):
    ctx = asked("what are the visiting hours?", "en")
    moment = Moment(date.max, date.max, is_now=True)
    now = replace(ctx.published.fact, moments=(moment,))

    assert may_store(ctx)
    assert not may_store(ctx.learn(fact=now))


def test_facts_of_every_campus_come_before_an_answer_that_may_be_of_some(answering):
    Fact.objects.filter(need="parking_price").delete()
    campuses = Entity.objects.filter(kind="campus").order_by("key")
    for number, campus in enumerate(campuses, start=1):
        Fact.objects.create(
            hospital=answering, need="parking_price", value=f"{number}.30", subject=campus
        )
    asking = {"nl": ["wat kost parkeren?", "parkeren prijs", "hoeveel kost de parking"]}
    curated(
        answering, key="parking", need="parking_price", examples=asking,
        answer={"nl": "Parkeren is gratis op de andere campus."},
    )  # fmt: skip
    publish_draft(answering)
    forget_snapshots()
    try:
        answer = asked("wat kost parkeren?", "nl").answer
    finally:
        CuratedAnswer.objects.all().delete()

    assert len(campuses) > 1
    assert all(campus.name in answer for campus in campuses)
    assert "andere campus" not in answer


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("wat kost een fiets huren?", "1,80"),
        ("wat zijn de bezoekuren op afdeling Linde?", "elke dag 14:00-20:00"),
        ("wat zijn de bezoekuren van oogziekten?", "elke dag 14:00-20:00"),
        ("ik heb hevige pijn op de borst, wat kost parkeren?", "1,80"),
    ],
)
def test_it_is_not_told_to_who_asks_about_something_else(answering, question, fact):
    assert fact not in asked(question, "nl").answer
