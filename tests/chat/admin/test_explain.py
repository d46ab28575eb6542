"""Staff see how a stored answer came about, and what is answered live and on the draft, and why."""

from threading import BoundedSemaphore

import pytest
from lxml import html

from chat import services
from chat.channels import sessions
from chat.models import CachedAnswer, Conversation, Cue, IntentExample, Message, RewriteTemplate
from chat.services import TurnRequest
from retrieval.models import CategoryMismatch
from taxonomy.models import Department
from taxonomy.publishing.live import live_snapshot
from taxonomy.publishing.versions import publish
from tests.answering import mini_hospital
from tests.zol.staff import signed_in
from zol.models import Role
from zol.runtime.bridge import turn_here
from zol.tenancy import serving

pytestmark = pytest.mark.django_db
PAGE = "/admin/chat/intentexample/explain/"
PHONE = "Wat is het telefoonnummer van Longziekten?"
OLD, NEW = "011 00 11 10", "011 00 99 99"


@pytest.fixture
def mini(untouched, db):
    """The small hospital, in a transaction: a test may change its rows."""
    row = mini_hospital()
    with serving(row):
        yield row


@pytest.fixture
def edited(mini):
    """The same with a telephone number that is not published yet."""
    Department.objects.filter(name="Longziekten").update(phone=NEW)
    return mini


def ask(browser, question=PHONE, of="live", **more):
    return browser.post(PAGE, {"question": question, "language": "nl", "of": of} | more)


def column(page, name):
    tree = html.document_fromstring(page.text)
    (found,) = tree.xpath(f"//section[@aria-labelledby='answer-{name}']")
    return found


def marked(found):
    return " ".join(each.text_content() for each in found.find_class("differs"))


def test_a_question_is_answered_and_explained(mini):
    page = ask(signed_in(mini, Role.CURATOR), "Waar kan ik parkeren?")

    (tried,) = page.context["answers"]
    assert "navigation_or_practical_info" in page.text
    assert "parking" in page.text
    assert tried.message.version == live_snapshot().version
    assert tried.explained["found"]["rewrite"].startswith("Waar kan ik parkeren")
    assert tried.explained["examples"]
    assert tried.explained["found"]["needs"]


def test_safety_is_shown_and_personal_data_is_not(mini):
    page = ask(signed_in(mini, Role.CURATOR), "bel mij op 0470 12 34 56, ik krijg geen lucht")

    (tried,) = page.context["answers"]
    assert "0470 12 34 56" not in tried.explained["found"]["text"]
    assert tried.explained["found"]["red_flag"]
    assert tried.message.behaviour == "emergency"


@pytest.mark.parametrize("sent", [{"question": " "}, {"of": "all"}])
def test_what_cannot_be_asked_gets_a_message(mini, sent):
    page = ask(signed_in(mini, Role.CURATOR), **sent)

    assert page.context["form"].errors
    assert "answers" not in page.context


def test_the_draft_answers_from_what_was_edited_and_patients_are_not(edited):
    page = ask(signed_in(edited, Role.CURATOR), of="draft")

    assert NEW in column(page, "draft").text_content()
    assert "not published" in column(page, "draft").text_content()
    assert OLD not in page.text
    assert OLD in ask(signed_in(edited, Role.ANALYST)).text


def test_both_stand_side_by_side_and_what_differs_is_marked(edited):
    page = ask(signed_in(edited, Role.CURATOR), of="both")

    live, draft = column(page, "live"), column(page, "draft")
    assert f"Longziekten · {OLD}" in marked(live)
    assert f"Longziekten · {NEW}" in marked(draft)
    assert (f"Telefoon {OLD}" in marked(live), f"Telefoon {NEW}" in marked(draft)) == (True, True)
    assert "Certainty" not in marked(live)

    same = ask(signed_in(edited, Role.CURATOR, username="b"), "Wat zijn de bezoekuren?", of="both")
    assert "All answers are the same." in same.text
    assert not html.document_fromstring(same.text).find_class("differs")


def test_the_sources_that_were_chosen_and_those_passed_over_are_told(mini):
    found = column(ask(signed_in(mini, Role.CURATOR), "Wat zijn de bezoekuren?"), "live")

    (chosen,) = found.xpath(".//h3[.='Chosen sources']/following-sibling::ol")
    (table,) = found.find_class("candidates")
    uses = {row[2].text_content(): row[1].text_content() for row in table.iterfind("tbody/tr")}
    assert "Bezoekuren" in chosen.text_content()
    assert "Bezoekuren" in uses["cited"]
    assert "read, but not used" in uses


def test_nothing_that_is_asked_is_kept(edited):
    kept = (Conversation, Message, CachedAnswer, CategoryMismatch)
    before = [model.objects.count() for model in kept]

    ask(signed_in(edited, Role.CURATOR), of="both")

    assert [model.objects.count() for model in kept] == before


def test_a_draft_that_cannot_be_read_says_why_beside_the_live_answer(edited):
    RewriteTemplate.objects.update(template="{")

    page = ask(signed_in(edited, Role.CURATOR), of="both")

    assert OLD in column(page, "live").text_content()
    said = column(page, "draft").text_content()
    assert "No answer can be made from this: Single '{' encountered" in said


def test_patients_come_first_where_the_server_is_full(mini, monkeypatch):
    monkeypatch.setattr("zol.runtime.bridge.room", BoundedSemaphore(1))
    browser = signed_in(mini, Role.CURATOR)

    with turn_here():
        page = ask(browser, of="both")

    assert "ask again in a moment" in str(page.context["form"].non_field_errors())
    assert "answers" in ask(browser).context


def test_a_hospital_that_has_published_nothing_can_ask_its_draft(hospital):
    page = ask(signed_in(hospital, Role.CURATOR), "hallo", "both")

    assert "no published version" in column(page, "live").text_content()
    assert column(page, "draft").find_class("answer")


def test_the_draft_of_another_hospital_is_never_asked(edited, other_hospital):
    with serving(other_hospital):
        publish(other_hospital, by=None)
        browser = signed_in(other_hospital, Role.CURATOR)

    page = ask(browser, of="both")

    assert NEW not in page.text
    assert OLD not in page.text


@pytest.fixture
def turns(mini):
    """Two turns of a patient: the second means what the first was about."""
    conversation = sessions.start(mini, "nl")
    asked = ("Waar is Longziekten?", "En wat is het telefoonnummer?")
    return [services.answer(conversation, TurnRequest(question)) for question in asked]


def shown(browser, turn, **more):
    return browser.get(PAGE, {"message": turn.pk} | more)


def again(browser, turn, **said):
    values = {"question": turn.question, "language": "nl", "of": "both"} | said
    return browser.post(f"{PAGE}?message={turn.pk}", values)


def test_a_stored_turn_is_explained_and_nothing_is_asked(turns):
    browser = signed_in(turns[0].hospital, Role.OPERATOR)

    page = shown(browser, turns[1])

    then = column(page, "then").text_content()
    assert [each.name for each in page.context["answers"]] == ["then"]
    assert turns[0].question in page.text
    for said in (OLD, "v1", "embedded", "Stages", "understand"):
        assert said in then
    assert page.context["form"]["question"].value() == turns[1].question


def test_the_row_of_a_message_leads_to_its_explanation(turns):
    browser = signed_in(turns[0].hospital, Role.ANALYST)

    answer = browser.get(f"/admin/chat/message/{turns[1].pk}/change/")

    assert answer.url == f"{PAGE}?message={turns[1].pk}"


def test_a_turn_is_asked_again_after_what_was_asked_before_it(turns, edited):
    Message.objects.filter(pk=turns[1].pk).update(answer="Dat weet ik niet.", version=1)

    page = again(signed_in(edited, Role.OPERATOR), turns[1], question="Telefoon?")

    then, live, draft = (column(page, name).text_content() for name in ("then", "live", "draft"))
    assert "Dat weet ik niet." in then
    assert (OLD in live, NEW in draft) == (True, True)
    assert ("v1" in then, "v1" in live, "not published" in draft) == (True, True, True)


def test_who_may_not_read_what_patients_asked_asks_no_turn_again(turns):
    browser = signed_in(turns[0].hospital, Role.CURATOR)

    assert shown(browser, turns[0]).status_code == 403
    assert again(browser, turns[0]).status_code == 403


def test_a_turn_that_is_gone_or_of_another_hospital_is_not_found(turns, other_hospital):
    browser = signed_in(other_hospital, Role.OPERATOR)

    assert shown(browser, turns[0]).status_code == 404
    assert browser.get(PAGE, {"message": "x"}).status_code == 404


@pytest.mark.parametrize(
    ("model", "values"),
    [(Cue, {"kind": "thanks", "text": "dank u"}), (IntentExample, {"text": "waar parkeer ik"})],
)
def test_a_cue_and_an_example_are_explained_as_a_question(hospital, model, values):
    row = model.objects.create(hospital=hospital, language="nl", **values)
    browser = signed_in(hospital, Role.CURATOR)

    page = browser.get(f"/admin/chat/{model._meta.model_name}/{row.pk}/change/")
    for start in ("/admin/", f"/admin/chat/{model._meta.model_name}/"):
        assert PAGE in browser.get(start).text

    (link,) = html.document_fromstring(page.text).xpath("//a[.='Explain it as a question']/@href")
    assert browser.get(link).context["form"]["question"].value() == row.text


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("mijn man heeft een hartaanval", ("chest pain", True)),
        ("wat zijn de bezoekuren?", ("visiting hours", False)),
    ],
)
def test_the_situations_that_hear_a_question_are_listed(mini, question, expected):
    (tried,) = ask(signed_in(mini, Role.QUALITY), question).context["answers"]

    heard = [(each.name, each.is_answered) for each in tried.explained["situations"]]
    assert expected in heard


def test_who_may_not_see_examples_may_not_ask(hospital):
    assert ask(signed_in(hospital, Role.IT), of="draft").status_code == 403
