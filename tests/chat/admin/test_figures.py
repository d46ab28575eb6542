"""Staff see how a period compares with the one before it, and go from a figure to what it counts."""

import csv
import io
from datetime import timedelta

import pytest
from django.db import connection, connections
from django.utils import timezone
from lxml import html

from chat.admin.figures import Period, charts_of
from chat.models import Conversation, Feedback
from retrieval.models import CategoryMismatch
from tests.factories import message
from tests.zol.staff import signed_in
from zol.models import Role
from zol.tenancy import serving

pytestmark = pytest.mark.django_db
FIGURES = "/admin/figures/"
SECRET = "Mijn schoonmoeder heeft eczeem"
#: Questions of three years, one in ten of them in the period and the one before it.
MANY = """
INSERT INTO chat_message (id, hospital_id, conversation_id, question, answer, state, mode, language,
    behaviour, intent, citations, follow_ups, contact, verified, degraded, cached, engine, version,
    timings_ms, trace, cost, certainty, missing, created_at, finished_at)
SELECT gen_random_uuid(), %(hospital)s, %(conversation)s, repeat('vraag ', 20), repeat('antwoord ', 50),
    'finished', 'standard', (ARRAY['nl','fr','en','tr'])[1 + n %% 4], 'answer',
    (ARRAY['doctor_lookup','booking_or_contact'])[1 + n %% 2], '[]', '[]', '{}', false, false, false,
    'embedded', 1, '{}', jsonb_build_object('stages', repeat('x', 500)), 0,
    (ARRAY['sure','near','nothing','fact'])[1 + n %% 4], '{}', moment, moment + n %% 50 * interval '0.1 s'
FROM generate_series(1, %(count)s) n, LATERAL (SELECT now() - n * interval '1 day' * %(days)s / %(count)s) AS t(moment)
"""


def period(days):
    """Return the query of the last days, today included."""
    today = timezone.localdate()
    return {"first": str(today - timedelta(days=days - 1)), "last": str(today)}


def asked(hospital, *, days=0, seconds=2, channel="web", **fields):
    """Return a question of a conversation of its own, so many days ago."""
    talk = Conversation.objects.create(hospital=hospital, channel=channel)
    made = message(hospital, SECRET, days=days, conversation=talk, **{
        "answer": SECRET, "certainty": "sure", "intent": "doctor_lookup", **fields,
    })  # fmt: skip
    talk.created_at = made.created_at
    talk.save(update_fields=["created_at"])
    if "finished_at" not in fields:
        made.finished_at = made.created_at + timedelta(seconds=seconds)
        made.save(update_fields=["finished_at"])
    return made


def rated(message, *, is_good):
    thumb = Feedback.objects.create(hospital=message.hospital, message=message, is_good=is_good)
    Feedback.objects.filter(pk=thumb.pk).update(created_at=message.created_at)


@pytest.fixture
def officer(hospital):
    return signed_in(hospital, Role.QUALITY)


def shown(page):
    """Return the figures of a page by table and row: this period, and the one before it."""
    tables = html.document_fromstring(page.text).iterfind(".//section[@aria-labelledby]")
    return {
        table.find("h2").text: {
            row.find("th").text: [cell.text_content() for cell in row.iterfind("td/a/..")]
            for row in table.iterfind(".//tbody/tr")
        }
        for table in tables
    }


def test_a_period_stands_beside_the_one_before_it_without_words_of_patients_or_other_hospitals(
    hospital, other_hospital, officer
):
    for days in (0, 3, 6):
        asked(hospital, days=days)
    asked(hospital, days=1, certainty="nothing", language="fr", channel="widget", seconds=9)
    asked(hospital, days=2, certainty="", behaviour="emergency")
    asked(hospital, days=2, certainty="", behaviour="refuse_medical", cost=1.25)
    asked(hospital, days=7, certainty="near")
    asked(hospital, days=14, finished_at=None)
    with serving(other_hospital):
        asked(other_hospital, language="tr")

    page = officer.get(FIGURES, period(7))
    tables = shown(page)

    short = tables["In short"]
    assert short["Conversations"] == short["Questions"] == ["6", "1"]
    assert short["Without an answer"] == ["1 (25 %)", "1 (100 %)"]
    assert short["Half of the answers within"] == ["2.00 s", "2.00 s"]
    assert short["95 % of the answers within"] == ["7.25 s", "2.00 s"]
    assert short["Cost of the models"] == ["1.25", "0.00"]
    assert tables["Languages"] == {"Nederlands": ["5", "1"], "Français": ["1", "0"]}
    assert tables["Topics"] == {"Finding a doctor": ["6", "1"]}
    assert tables["How it was answered"] == {
        "sure": ["3", "0"], "nothing found": ["1", "0"], "close, but not certain": ["0", "1"],
        "sent to the emergency number": ["1", "0"], "medical advice refused": ["1", "0"],
    }  # fmt: skip
    assert tables["Where it was asked"] == {
        "chat page": ["5", "1"], "widget on a website": ["1", "0"],
    }  # fmt: skip
    assert SECRET not in page.text
    assert len(tables["Questions by day"]) == 7
    assert list(tables["Questions by day"].values())[-1] == ["1", "1"]


def test_the_home_page_shows_the_week_beside_the_week_before(hospital, officer):
    for days in (0, 3, 8):
        asked(hospital, days=days, certainty="nothing")

    shown = {each.title: each for each in officer.get("/admin/").context["figures"]}

    assert shown["Questions"].value == "2"
    assert shown["Questions"].remark == "in 7 days; 1 in the 7 days before"
    assert shown["Without an answer"].value == "2 (100 %)"
    assert shown["Medical advice given"].value == "0"


def test_what_is_shown_is_given_as_csv(hospital, officer):
    asked(hospital)

    answer = officer.get(FIGURES, period(7) | {"csv": "1"})

    rows = list(csv.reader(io.StringIO(answer.getvalue().decode())))
    assert "attachment" in answer["Content-Disposition"]
    assert rows[0][:2] == ["table", "figure"]
    assert ["Languages", "Nederlands", "1", "0"] in rows


def test_every_figure_leads_to_the_rows_that_it_counts(hospital, officer):
    for days in (1, 2, 9):
        rated(asked(hospital, days=days, cost=0.5), is_good=days == 1)
        asked(hospital, days=days, certainty="nothing", channel="api")
        asked(hospital, days=days, certainty="", behaviour="emergency", intent="")
        asked(hospital, days=days, certainty="", behaviour="", state="failed", language="")
    CategoryMismatch.objects.create(
        hospital=hospital, mismatch_rate=1, chunks_total=4, chunks_off_category=4
    )
    page = html.document_fromstring(officer.get(FIGURES, period(7)).content)
    links = {link.get("href"): link.text for link in page.iterfind(".//section//td/a")}

    assert len(links) > 40
    for address, told in links.items():
        if told.endswith((" s", "–")):
            continue
        listed = officer.get(address).context["cl"]
        number = told.partition(" (")[0]
        assert number in (str(listed.result_count), "1.00", "0.50"), address


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"first": "gisteren", "last": "2026-11-01"}, "From: This is not a date"),
        ({"first": "2026-02-02"}, "To: This field is required."),
        ({"first": "2026-02-02", "last": "2026-02-01"}, "Choose a first day"),
        ({"first": "0001-01-01", "last": "0001-01-02"}, "Choose a first day"),
    ],
)
def test_a_period_that_there_is_not_is_refused_in_words(hospital, officer, query, sentence):
    asked(hospital)

    page = officer.get(FIGURES, query | {"csv": "1"})

    assert sentence in html.document_fromstring(page.content).findtext(".//p[@role='alert']")
    assert shown(page)["In short"]["Questions"] == ["1", "0"]


@pytest.mark.django_db(transaction=True)
def test_many_questions_are_counted_in_an_index_by_few_queries(
    hospital, django_assert_max_num_queries
):
    talk = Conversation.objects.create(hospital=hospital)
    given = {"hospital": hospital.pk, "conversation": talk.pk, "count": 20_000, "days": 600}
    with connection.cursor() as cursor:
        cursor.execute(MANY, given)
    with connections["owner"].cursor() as cursor:
        cursor.execute("VACUUM ANALYZE chat_message")
    today = timezone.localdate()
    plans = []

    def explain(execute, sql, params, many, context):
        if "chat_message" in sql:
            plans.append(execute(f"EXPLAIN {sql}", params, many, context).fetchall())
        return execute(sql, params, many, context)

    with django_assert_max_num_queries(6):
        charts = list(charts_of(Period(today - timedelta(days=29), today)))
    with connection.execute_wrapper(explain):
        list(charts_of(Period(today - timedelta(days=29), today)))

    assert charts[0].rows[1].values[1] == pytest.approx(1_000, abs=35)
    assert len(plans) == 3
    # Which index is cheaper hangs on an older transaction elsewhere, whose rows are not all-visible.
    for plan in plans:
        assert "Index" in str(plan), plan
        assert "Seq Scan" not in str(plan), plan
