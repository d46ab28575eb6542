"""The chat page in a real browser, against the product's own server."""

import re
from itertools import pairwise

import pytest
from django.db import connection, transaction
from playwright.sync_api import expect

from chat.interface import strings
from chat.models import Conversation, Feedback, Message
from tests.chat.page.steps import CHEST_PAIN, LONG_DISEASES, QUOTED, VISITING, Line, answers, ask
from zol.languages import LANGUAGES

pytestmark = pytest.mark.browser

#: Bytes that the first visit may transfer: the page, its styles, scripts and fonts.
LIGHT = 150 * 1024


def test_a_question_gets_a_cited_answer(visit):
    page = visit()

    ask(page, VISITING)

    expect(answers(page)).to_have_count(1)
    log = page.get_by_role("log")
    expect(log).to_contain_text("Antwoord van de assistent van AZM")
    expect(log).to_contain_text("geen medisch advies")
    expect(log).to_have_attribute("aria-busy", "false")
    expect(page.locator("#status")).to_have_text("Het antwoord is klaar.")
    expect(log.get_by_role("button", name=re.compile("^Bron 1:")).first).to_be_visible()


def test_an_emergency_is_answered_at_once_while_another_answer_is_written(visit):
    page = visit(viewport={"width": 390, "height": 800})
    ask(page, VISITING)
    expect(answers(page)).to_have_count(1)
    field = page.get_by_role("textbox", name="Uw vraag")

    with transaction.atomic(), connection.cursor() as cursor:
        # The search waits for this.
        cursor.execute("LOCK TABLE retrieval_chunk IN ACCESS EXCLUSIVE MODE")
        ask(page, LONG_DISEASES)
        expect(page.locator(".progress")).to_be_visible()
        ask(page, VISITING)
        expect(page.locator("#mistake")).to_contain_text("vorige vraag")
        expect(field).to_have_value(VISITING)
        field.fill(CHEST_PAIN)
        page.get_by_role("button", name="Vraag stellen").click()
        expect(page.locator(".is-emergency")).to_contain_text("112")
        expect(page.locator(".is-emergency")).to_be_in_viewport()
        expect(field).to_have_value("")
        expect(page.locator(".progress")).to_have_count(1)

    expect(answers(page)).to_have_count(3)
    assert Message.objects.filter(state=Message.State.FINISHED).count() == 3
    expect(page.locator(".exchange").nth(1)).to_contain_text("Longziekten")
    page.reload()
    expect(answers(page)).to_have_count(3)
    ask(page, LONG_DISEASES)
    expect(answers(page)).to_have_count(4)
    assert Conversation.objects.count() == 1


def test_shift_and_enter_begin_a_new_line_and_a_question_that_is_too_long_is_refused(visit):
    page = visit()
    field = page.get_by_label("Uw vraag")
    field.fill("Eerste regel")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("Tweede regel")
    expect(field).to_have_value("Eerste regel\nTweede regel")

    field.fill("x" * 1001)
    expect(page.locator("#counter")).to_have_text("1001 van 1000 tekens")
    page.keyboard.press("Enter")

    expect(page.get_by_role("alert")).to_contain_text("te lang")
    expect(page.locator(".exchange")).to_have_count(0)


def test_a_number_opens_its_source_and_escape_gives_the_focus_back(visit, address):
    page = visit()
    ask(page, QUOTED)
    expect(answers(page)).to_have_count(1)
    number = page.locator(".text blockquote .cite").first

    number.focus()
    page.keyboard.press("Enter")

    panel = page.get_by_role("dialog")
    expect(panel).to_be_visible()
    expect(panel.get_by_role("heading", level=2)).to_be_focused()
    expect(panel.locator("mark")).not_to_be_empty()
    viewer = panel.get_by_role("link", name="Toon in de volledige tekst").get_attribute("href")
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(number).to_be_focused()
    page.goto(address + viewer)
    expect(page.locator("#passage")).to_be_in_viewport()


def test_an_example_is_asked_with_one_click_where_the_hospital_has_any(visit):
    expect(visit("/?language=fr").locator("#examples")).to_have_count(0)
    page = visit("/?language=nl")

    page.get_by_role("link", name=VISITING).click()

    expect(answers(page)).to_have_count(1)
    expect(page.get_by_role("heading", name=VISITING)).to_be_visible()
    assert "question" not in page.url


def test_an_opinion_and_its_reason_are_kept(visit):
    page = visit()
    ask(page, VISITING)

    page.get_by_role("button", name="Was dit antwoord nuttig? Nee").click()
    page.get_by_role("button", name="Er ontbreekt iets").click()

    expect(page.get_by_text("Bedankt voor uw mening.")).to_be_visible()
    page.get_by_role("button", name="Zoek grondiger").click()
    expect(answers(page)).to_have_count(2)
    expect(page.get_by_text("Grondiger gezocht")).to_be_visible()
    feedback = Feedback.objects.get()
    assert (feedback.is_good, feedback.reason) == (False, "incomplete")
    assert Message.objects.filter(mode="escalated").count() == 1


def test_a_new_conversation_begins_empty(visit):
    page = visit()
    ask(page, VISITING)
    expect(answers(page)).to_have_count(1)

    page.get_by_role("button", name="Nieuw gesprek").click()
    expect(page.locator(".exchange")).to_have_count(0)
    ask(page, VISITING)

    expect(answers(page)).to_have_count(1)
    assert Conversation.objects.count() == 2


def test_an_emergency_says_only_what_to_do_now_with_the_number_as_large_as_can_be(visit):
    page = visit()

    ask(page, CHEST_PAIN)

    call = page.get_by_role("log").get_by_role("link", name="Bel 112")
    expect(call.first).to_have_attribute("href", "tel:112")
    expect(call.first).to_be_in_viewport()
    expect(answers(page)).to_have_count(1)
    expect(page.locator(".call")).to_be_visible()
    expect(page.locator(".contact, .disclaimer")).to_have_count(0)
    expect(page.get_by_text("Was dit antwoord nuttig?")).to_have_count(0)


def test_an_answer_is_copied_with_its_sources(visit):
    page = visit(ignore="clipboard")
    ask(page, VISITING)
    expect(answers(page)).to_have_count(1)

    if page.locator("html").evaluate("() => window.isSecureContext"):
        page.get_by_role("button", name="Kopiëren").click()
        expect(page.get_by_role("button", name="Gekopieerd")).to_be_visible()
        copied = page.locator("html").evaluate("() => navigator.clipboard.readText()")
        assert "https://www.azm-mini.example/" in copied
    else:
        expect(page.get_by_role("button", name="Kopiëren")).to_have_count(0)


def test_on_the_smallest_phone_most_of_the_window_is_the_answer_s(visit):
    page = visit("/?language=de", viewport={"width": 320, "height": 640}, has_touch=True)
    page.get_by_label("Ihre Frage").fill(LONG_DISEASES)
    page.keyboard.press("Enter")
    expect(answers(page)).to_have_count(1)

    covered = page.evaluate(
        "innerHeight - document.querySelector('.composer').getBoundingClientRect().top"
    )
    assert covered <= 120
    assert page.locator("html").evaluate("page => page.scrollWidth") == 320
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(page.locator("#forget")).to_be_in_viewport()


def test_without_script_questions_are_answered_and_a_refused_one_can_be_changed(visit, address):
    page = visit(java_script_enabled=False, ignore="400")
    field = page.get_by_label("Uw vraag")
    for question in (VISITING, LONG_DISEASES):
        field.fill(question)
        page.get_by_role("button", name="Vraag stellen").click()

        expect(page.get_by_role("heading", name=question)).to_be_visible()
        expect(page.locator("#bron-1")).to_be_visible()
        expect(field).to_have_value("")

    page.go_back()
    expect(page.get_by_role("heading", name=VISITING)).to_be_visible()
    expect(field).to_have_value("")
    page.goto(f"{address}/zoek?q={'x' * 1001}")
    expect(field).to_have_value("x" * 1001)


def test_the_first_visit_is_light(browser, address):
    page = browser.new_page(locale="nl-BE")
    received = []
    page.on("requestfinished", lambda request: received.append(request.sizes()))

    page.goto(address, wait_until="networkidle")

    assert 0 < sum(sizes["responseBodySize"] for sizes in received) < LIGHT


def test_what_is_being_written_already_looks_as_it_will_also_a_table_in_the_middle(visit):
    line = Line()
    line.holds = {"answer"}
    page = visit(prepare=line.prepare)
    ask(page, VISITING)
    expect(page.locator(".is-streaming .text table td")).to_have_count(6)

    line.says(type="token", text="\n\n| Parking | Tarief |\n|---|---|\n| Dijk | € 1,20 \\| uur |")
    cells = page.locator(".text table").last.locator("td")
    expect(cells).to_have_text(["Dijk", "€ 1,20 | uur"])
    line.release()

    expect(answers(page)).to_have_count(1)
    expect(page.locator(".text table td")).to_have_count(6)


def test_the_hospital_s_number_is_in_sight_at_every_width_and_nothing_covers_it(visit):
    page = visit()
    longest = max((strings(language)["call"] for language in LANGUAGES), key=len)
    page.locator(".emergency-call").evaluate("(one, words) => (one.textContent = words)", longest)
    for width in (320, 390, 600, 768, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        head = page.locator(".bar :is(.brand-name, .phone, .emergency, .menu)")
        boxes = head.evaluate_all("all => all.map((one) => one.getBoundingClientRect().toJSON())")

        assert len(boxes) == 4
        assert boxes[0]["left"] >= 0
        assert boxes[-1]["right"] <= width
        for one, next_one in pairwise(boxes):
            assert one["right"] <= next_one["left"]
        expect(page.locator(".bar .phone")).to_have_attribute("href", re.compile(r"^tel:\+32\d+$"))
        assert page.locator("html").evaluate("page => page.scrollWidth") == width


def test_one_answer_is_printed_on_one_page(visit):
    page = visit(
        viewport={"width": 390, "height": 844},
        prepare=lambda page: page.add_init_script("window.print = () => {}"),
    )
    for count, question in enumerate((VISITING, LONG_DISEASES), 1):
        ask(page, question)
        expect(answers(page)).to_have_count(count)

    page.get_by_role("button", name="Afdrukken").last.click()

    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == 1


def test_questions_that_come_after_an_answer_are_offered_below_it(visit):
    line = Line()
    page = visit(prepare=line.prepare)
    ask(page, VISITING)
    expect(answers(page)).to_have_count(1)
    message = str(Message.objects.latest("created_at").pk)

    line.says(type="suggestions", message=message, follow_ups=["Waar kan ik parkeren?"])

    expect(page.locator(".follow-ups .chip")).to_have_text(["Waar kan ik parkeren?"])
    page.locator(".follow-ups .chip").click()
    expect(answers(page)).to_have_count(2)


#: Tabs within which everything on the page is reached.
MOST_TABS = 60


def tab_to(page, target, key="Tab"):
    """Press Tab until an element has the focus, as somebody without a mouse does."""
    for _ in range(MOST_TABS):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{target} is not reached by Tab")


def test_a_visit_without_a_mouse(visit):
    page = visit()
    heard = listen(page)
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.type(LONG_DISEASES)
    page.keyboard.press("Enter")
    expect(answers(page)).to_have_count(1)
    assert heard() == ["Bezig met uw vraag", "Het antwoord is klaar."]

    open_a_citation_and_return(page)
    tab_to(page, page.locator(".follow-ups .chip").first)
    page.keyboard.press("Enter")
    expect(answers(page)).to_have_count(2)
    rate_the_last_answer(page)
    forget_everything(page)
    assert heard()[-1] == "Het gesprek is gewist."
    assert not Conversation.objects.exists()
    page.reload()
    expect(page.locator(".exchange")).to_have_count(0)


def open_a_citation_and_return(page):
    number = page.locator(".text .cite").first
    tab_to(page, number, "Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_role("heading", level=2)).to_be_focused()
    page.keyboard.press("Escape")
    expect(number).to_be_focused()


def rate_the_last_answer(page):
    tab_to(page, answers(page).last.get_by_role("button", name="nuttig? Nee"), "Shift+Tab")
    page.keyboard.press("Enter")
    tab_to(page, answers(page).last.get_by_role("button", name="Er ontbreekt iets"))
    page.keyboard.press("Space")
    expect(answers(page).last.locator(".rated")).to_have_text("Bedankt voor uw mening.")
    for _ in range(100):
        if Feedback.objects.filter(reason="incomplete").exists():
            return
        page.wait_for_timeout(50)
    raise AssertionError("The reason was not kept")


def forget_everything(page):
    tab_to(page, page.get_by_role("button", name="Wis dit gesprek"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Annuleren")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".exchange")).to_have_count(0)
    expect(page.get_by_label("Uw vraag")).to_be_focused()


def listen(page):
    """Collect what the live region says; a screen reader says each of it once."""
    page.locator("#status").evaluate("""region => {
        window.heard = [];
        new MutationObserver(() => region.textContent && heard.push(region.textContent))
            .observe(region, { childList: true, characterData: true, subtree: true });
    }""")
    return lambda: page.evaluate("heard")
