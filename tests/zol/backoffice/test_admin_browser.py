"""The back office in a real browser, under the content security policy that is served."""

import os
import time

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib import admin
from django.db import connection
from django.urls import reverse
from playwright.sync_api import expect, sync_playwright

from chat.models import Conversation, Intervention, Message
from evaluation.models import GoldenQuestion, Run
from retrieval.models import AffinityCell, ContentCategory, Document
from taxonomy.models import Proposal
from taxonomy.publishing.versions import publish
from taxonomy.vocabulary import Kind
from tests import factories
from tests.browsers import chromium
from tests.retrieval.ingestion.workers import Workers, own_queue
from tests.taxonomy.releases import submitted
from tests.zol.staff import PASSWORD, member
from tests.zol.test_reach import furnish
from zol.models import Membership, Role
from zol.postgres.locks import process_lock
from zol.tenancy import serving

#: How far the page, and a list within its box, reach beyond what is seen of them.
BEYOND = """() => [document.documentElement, document.querySelector("#changelist .results")]
  .map((box) => (box ? box.scrollWidth - box.clientWidth : 0))"""
#: Fields that a telephone shows beyond its edge and in no box that is moved.
OUT_OF_REACH = """() => [...document.querySelectorAll("input, select, textarea, button")]
  .filter((field) => field.checkVisibility() && field.getBoundingClientRect().right > innerWidth
    && !field.closest(".results, .inline-group, table"))
  .map((field) => field.outerHTML.slice(0, 150))"""
#: Style sheets that it fetched itself would breach the policy.
AXE = {
    "resultTypes": ["violations"],
    "preload": False,
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
}
#: In the dark nothing else differs.
OF_COLOUR = AXE | {"runOnly": ["color-contrast", "link-in-text-block"]}
SOAK = bool(os.environ.get("SOAK"))
#: What answers a form, or gives no page.
NO_PAGES = {
    "autocomplete", "changes", "chat_cachedanswer_purge", "jsi18n", "language", "login", "logout",
    "taxonomy_proposal_look", "taxonomy_release_send", "taxonomy_snomedproposal_look", "zol_gonerow_read",
    None,
}  # fmt: skip
FEW = (
    "", "taxonomy/department/", "taxonomy/doctor/add/", "taxonomy/doctor/import/", "taxonomy/release/", "taxonomy/version/",
    "zol/auditentry/", "zol/gonerow/", "retrieval/document/add/", "retrieval/affinitycell/matrix/",
    "retrieval/retrievalsetting/all/", "chat/redflagphrase/add/", "chat/redflagphrase/situations/",
    "chat/message/", "chat/intentexample/explain/", "taxonomy/proposal/", "evaluation/livegrade/",
    "figures/",
)  # fmt: skip
WELCOME = "Welkom in de hartkliniek."
#: All names are made of it.
SLUG = "longfunctieonderzoek"
TITLE = "Voorbereiding op een longfunctieonderzoek met inspanningsproef"
pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("work_at_once"),
]


@pytest.fixture
def back_office(transactional_db):
    """A hospital at an address of its own, with something to work on."""
    row = factories.hospital(slug=SLUG, host="browser.localhost")
    with serving(row):
        member(row, Role.OPERATOR)
        factories.entity(row, Kind.DEPARTMENT, "Cardiologie", "hartdienst")
        factories.entity(row, Kind.CONDITION, "Cardiomyopathie")
        factories.entity(row, Kind.DOCTOR, "Ann Peeters", last_name="Peeters")
        ContentCategory.objects.create(hospital=row, category="practical", name_en="Practical")
        AffinityCell.objects.create(
            hospital=row, row="medical_information", category="practical", factor=0.75
        )
        Proposal.objects.create(
            hospital=row, sort=Proposal.Sort.ENTITY, kind=Kind.DEPARTMENT, name="Hartkliniek",
            identity="entity:department:hartkliniek", language="nl", sentence=WELCOME,
            sources=[{"path": "hart.html", "title": "Hart", "url": "", "sentence": WELCOME}],
        )  # fmt: skip
        Message.objects.create(
            hospital=row, conversation=Conversation.objects.create(hospital=row), state="finished",
            question="Waar is de " + "zwerfkei" * 12, certainty="nothing", missing=["kei" * 25],
        )  # fmt: skip
        publish(row, by=None)
        factories.entity(row, Kind.DEPARTMENT, "Geriatrie", "ouderenzorg")
        release = submitted(row, "Nieuwe dienst")
        row.waiting = f"/admin/taxonomy/release/{release.pk}/change/"
        yield row


@pytest.fixture
def busy(back_office):
    """The same hospital with all that a new one begins with, and a row of whatever it may have."""
    ContentCategory.objects.all().delete()
    AffinityCell.objects.all().delete()
    factories.with_defaults(back_office)
    operator = Membership.objects.get(user__username="operator").user
    for role in set(Role) - {Role.OPERATOR}:
        Membership.objects.create(hospital=back_office, user=operator, role=role)
    furnish(back_office)
    Document.objects.update(title=TITLE, status="failed", reason="x: " * 40)
    Message.objects.update(question=TITLE * 2, answer=TITLE)
    Intervention.objects.update(questions=TITLE, reason=TITLE)
    Run.objects.update(note=TITLE)
    return back_office


@pytest.fixture
def page(back_office, live_server):
    """A signed-in page; whatever the browser complains about fails the test.

    Tests look at pages, never at rows: Playwright keeps an event loop in this thread, in which the
    database would get a connection that nobody closes.
    """
    complaints = []
    port = live_server.url.rpartition(":")[2]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        context = browser.new_context(base_url=f"http://browser.localhost:{port}", locale="en-GB")
        opened = context.new_page()
        opened.on("pageerror", lambda error: complaints.append(str(error)))
        opened.on("console", lambda said: complaints.append(said.text) if complains(said) else None)
        sign_in(opened, "operator")
        yield opened
        browser.close()
    until_the_server_rests()
    assert complaints == []


def sign_in(page, name) -> None:
    page.context.clear_cookies()
    page.goto("/admin/")
    page.fill("#id_username", name)
    page.fill("#id_password", PASSWORD)
    page.click("input[type=submit]")
    page.wait_for_load_state("networkidle")


@pytest.fixture
def asked_by_workers(back_office, tmp_path):
    """Golden questions, a quality officer, and a worker for them on a queue of its own."""
    member(back_office, Role.QUALITY)
    for number, category in enumerate(("navigation", "navigation", "pii")):
        GoldenQuestion.objects.create(
            hospital=back_office, key=f"g-{number}", category=category, language="nl",
            turns=["Waar is Cardiologie?"], expect="answer",
        )  # fmt: skip
    undo = own_queue("golden", "evaluation.tasks.*")
    workers = Workers("golden", tmp_path / "log")
    workers.start()
    yield
    workers.end()
    undo()


def until_the_server_rests() -> None:
    """Wait for requests that nobody waits for any more: they would hold the database open."""
    others = (
        "SELECT state, query FROM pg_stat_activity "
        "WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()"
    )
    process_lock.release()
    for _ in range(100):
        with connection.cursor() as cursor:
            cursor.execute(others)
            if not (busy := cursor.fetchall()):
                return
        time.sleep(0.1)
    pytest.fail(f"The server still uses the database: {busy}")


def complains(said) -> bool:
    return said.type in ("error", "warning")


def test_signing_in_leads_home_where_the_draft_is_compared(page):
    policy = page.goto("/admin/").headers["content-security-policy"]

    assert "script-src 'self'" in policy
    assert "style-src 'self'" in policy
    assert "unsafe" not in policy
    expect(page.get_by_role("heading", name="Good day, operator")).to_be_visible()
    expect(page.locator(".pending.waiting")).to_contain_text("not yet published")
    expect(page.get_by_role("link", name="Releases that await your approval")).to_be_visible()


def test_a_release_is_looked_at_approved_and_published(page, back_office):
    page.goto(back_office.waiting)
    expect(page.locator(".differences")).to_contain_text("Geriatrie")

    page.get_by_role("button", name="Approve").click()
    expect(page.locator(".messagelist .success")).to_contain_text("Approved.")
    page.get_by_role("button", name="Publish for patients now").click()

    expect(page.locator(".messagelist .success")).to_contain_text("Live")
    page.goto("/admin/taxonomy/version/")
    page.get_by_role("link", name="Go back to this version").click()
    expect(page.locator(".differences")).to_contain_text("Geriatrie")
    page.get_by_label("Why do you go back?").fill("Nog niet open")
    page.get_by_role("button", name="Go back to version 1 now").click()
    expect(page.locator(".messagelist .success")).to_contain_text("Version 1 is live")


def started(page, category, progress) -> None:
    page.goto("/admin/evaluation/run/add/")
    page.get_by_label("Category").select_option(category)
    page.get_by_role("button", name="Ask the questions").click()
    expect(page.locator(".field-progress")).to_contain_text(progress)


def test_a_run_is_started_followed_and_compared_with_another(asked_by_workers, page):
    width = 390
    page.set_viewport_size({"width": width, "height": 844})
    sign_in(page, "quality")
    started(page, "", "0/3")
    expect(page.get_by_role("button", name="Stop, and keep what was asked so far")).to_be_visible()
    expect(page.locator(".field-state")).to_contain_text("finished", timeout=120_000)
    expect(page.locator(".field-progress")).to_contain_text("3/3")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    started(page, "navigation", "/2")
    expect(page.locator(".field-state")).to_contain_text("finished", timeout=120_000)

    page.goto("/admin/evaluation/run/")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for box in page.locator("input.action-select").all():
        box.check()
    page.get_by_role("button", name="Go").click()

    expect(page.get_by_role("heading", name="Two runs compared")).to_be_visible()
    expect(page.locator("#content-main")).to_contain_text("2 questions were asked in both runs")


def test_a_breach_of_the_policy_would_be_seen(back_office, live_server):
    """The tests above mean something only if the browser does complain."""
    complaints = []
    port = live_server.url.rpartition(":")[2]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        opened = browser.new_page()
        opened.on("console", lambda said: complaints.append(said.text))
        opened.goto(f"http://browser.localhost:{port}/admin/login/")
        opened.evaluate(
            "document.body.append(Object.assign(document.createElement('script'), {text: '1'}))"
        )
        browser.close()
    until_the_server_rests()

    assert any("Content Security Policy" in text for text in complaints)


def test_a_department_is_chosen_by_typing(page, back_office):
    page.goto("/admin/taxonomy/doctor/")
    page.get_by_role("link", name="Ann Peeters").click()
    group = page.locator(".inline-group", has_text="Departments of this doctor")
    group.locator(".add-row a").click()
    group.locator(".form-row:not(.empty-form) .select2-selection").first.click()
    page.locator(".select2-search__field").fill("hart")

    page.get_by_role("option", name="Cardiologie").click()
    page.locator("input[name=_save]").last.click()

    expect(page.locator(".messagelist .success")).to_be_visible()
    page.get_by_role("link", name="Ann Peeters").last.click()
    chosen = page.locator(".inline-group", has_text="Departments of this doctor")
    expect(chosen.locator("option:checked")).to_have_text(["Cardiologie"])


def test_a_cell_of_the_matrix_takes_the_colour_of_its_number(page, back_office):
    page.goto("/admin/retrieval/affinitycell/matrix/")
    cell = page.get_by_label("Medical information for Practical")

    cell.fill("1.3")
    expect(cell.locator("xpath=ancestor::td")).to_have_class("shade4")
    page.get_by_role("button", name="Save").click()

    expect(page.locator(".messagelist .success")).to_contain_text("1 cell was changed.")
    expect(page.get_by_label("Medical information for Practical")).to_have_value("1.3")


def lists():
    """The addresses of all lists of rows."""
    names = (model._meta.label_lower.replace(".", "_") for model in admin.site._registry)
    return [reverse(f"admin:{name}_changelist") for name in names]


def pages(lists):
    """The addresses of all pages that need no row: of each list, and of those that are none."""
    names = {each.name for each in flat(admin.site.get_urls()) if "<" not in str(each.pattern)}
    own = (name for name in names - NO_PAGES if not name.endswith(("_add", "_changelist")))
    return sorted({*lists, *(reverse(f"admin:{name}") for name in own)})


def flat(patterns):
    for each in patterns:
        yield from flat(each.url_patterns) if hasattr(each, "url_patterns") else [each]


def led_to(page):
    """The form of a new row of a list, and that of its first."""
    first = page.locator("#result_list tbody tr").first.locator("th a").first
    links = [*page.locator("#content .addlink").all()[:1], *([first] if first.count() else [])]
    return [link.get_attribute("href") for link in links]


def wrong_with(page):
    """Yield what axe finds, in light and dark, and what does not fit a screen or a telephone."""
    for scheme, rules in (("light", AXE), ("dark", OF_COLOUR)):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        for rule in Axe().run(page, options=rules).response["violations"]:
            yield scheme, rule["id"], [node["html"][:150] for node in rule["nodes"]][:3]
    if any(page.evaluate(BEYOND)):
        yield "cut at the side"
    page.set_viewport_size({"width": 390, "height": 844})
    if page.evaluate(BEYOND)[0]:  # A list is moved within its own box there.
        yield "wide"
    if hidden := page.evaluate(OUT_OF_REACH):
        yield "out of reach", hidden
    page.set_viewport_size({"width": 1280, "height": 900})


@pytest.mark.soak
@pytest.mark.parametrize("language", ["nl", "en"] if SOAK else ["nl"])
def test_every_page_is_for_everybody_and_fits_a_telephone(busy, page, language):
    """Each list, a new row and the first one, and each page of our own; in a short run, a few."""
    page.get_by_role("button", name=language.upper(), exact=True).click()
    ways = [f"{reverse('admin:index')}{each}" for each in FEW]
    ways, found = pages(lists()) if SOAK else ways, {}
    for address in ways:
        page.goto(address)
        more = led_to(page) if SOAK else []
        found[address] = [*wrong_with(page)]
        for link in more:
            page.goto(link)
            found[link.partition("?")[0]] = [*wrong_with(page)]

    assert {address: wrong for address, wrong in found.items() if wrong} == {}


def test_filters_are_folded_and_situations_are_printed_without_the_menu(busy, page):
    page.goto("/admin/chat/message/")
    folded = page.get_by_role("link", name="close, but not certain")
    expect(folded).to_be_hidden()
    page.locator("summary", has_text="Certainty").click()
    folded.click()
    expect(page.get_by_role("link", name="close, but not certain")).to_be_visible()
    expect(page.get_by_role("link", name="asked the visitor to clarify")).to_be_hidden()

    page.goto("/admin/chat/redflagphrase/situations/")
    expect(page.get_by_role("heading", name="Read and approved")).to_be_visible()

    page.emulate_media(media="print")

    expect(page.locator("#nav-sidebar")).to_be_hidden()
    expect(page.get_by_role("navigation", name="Language of the texts")).to_be_hidden()
    expect(page.get_by_text("Signature")).to_be_visible()
