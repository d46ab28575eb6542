"""No role reaches a page beyond its permissions, and no link leads to a refusal.

The addresses come from the URL configuration, the pages from the admin's registry: one that is added is
asked like the others, and has to be listed here only if it belongs to no registered model.
"""

import logging
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.db import connection, models, transaction
from django.http import HttpResponse
from django.template import Template
from django.test import Client
from django.urls import URLResolver, get_resolver
from django.utils import timezone
from lxml import html

from chat.models import Message
from evaluation.models import GoldenQuestion, Preview, Run
from taxonomy.models import Alias, Department, Fact, Release, SnomedChange, SnomedRelease, Version
from taxonomy.models.entities import ENTITY_MODELS
from taxonomy.proposals.merging import merge
from taxonomy.publishing.versions import live_version, publish
from taxonomy.vocabulary import Predicate
from tests import factories
from tests.chat.test_erasure import QUESTION, WORD, talk
from tests.zol.staff import host_of, member, signed_in
from zol.access.roles import ERASE, PERMISSIONS, PUBLISH
from zol.models import ApiToken, Role
from zol.tenancy import serving

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
OF_A_MODEL = re.compile(r"admin/([a-z]+)/([a-z]+)/")
#: Of everybody who may enter, of visitors, or of the machine: what they show is nobody's in particular.
OF_ALL = re.compile(
    r"admin/(language|changes|work|login|logout|password_change|autocomplete|jsi18n|r)/|admin/$"
    r"|admin/\^|admin/\(|health/|api/v1/(schema|docs|chat)|zoek|widget|\^?bron|$"
)
#: What belongs to no page of a model in the admin, by the beginning of its name.
ELSEWHERE = {
    "facts": Fact, "figures": Message, "release": Release,
    "version": Version, "category-mismatch": None,
}  # fmt: skip
#: What an address takes, where it is not the row of its model.
TAKES = {"before": Run, "after": Run, "release_id": Release,
         "department_id": Department}  # fmt: skip
#: Whose rows nobody may change as such, but do something with.
OTHERWISE = {
    "taxonomy.merger": "taxonomy.change_department",
    "taxonomy.version": PUBLISH,
    "retrieval.ingestionrun": "retrieval.change_document",
    "chat.conversation": ERASE,
}
#: A form is sent, and all that happens is that somebody reads: who may see may do so.
READING = {"chat_intentexample_explain"}
#: Only the owner of the database writes them, so that a test of the application has no row of them.
UNWRITABLE = {SnomedRelease, SnomedChange}
WRITES = re.compile(r"(INSERT|UPDATE|DELETE)(?!.*django_session)", re.DOTALL)
BUTTON = ".//button|.//input[@type='submit']"
SAID = dict.fromkeys(("title", "note", "text", "reason", "why"), "x")
REFUSED, GONE = {403, 404, 405, 409}, {403, 404}


@dataclass(frozen=True)
class Address:
    route: str
    name: str
    label: str

    def at(self, rows: dict[Any, Any], step: str = "approve") -> str:
        """Return the address for rows of one hospital."""
        return "/" + PARAMETER.sub(lambda found: str(self._given(found[1], rows, step)), self.route)

    def _given(self, name: str, rows: dict[Any, Any], step: str) -> Any:
        fixed = {"ending": "csv", "name": step}
        if name in fixed:
            return fixed[name]
        if name == "number":
            return rows["taxonomy.version"].number
        return rows[TAKES[name]._meta.label_lower if name in TAKES else self.label].pk

    @property
    def takes_a_row(self) -> bool:
        return bool(set(PARAMETER.findall(self.route)) - {"ending"})

    @property
    def is_read_only(self) -> bool:
        """Say whether Django, or a redirect, takes care of what is sent there."""
        return self.name.endswith(("_changelist", "_history", "retrievalsetting_change"))

    def verb(self, method: str) -> str:
        last = self.name.rpartition("_")[2]
        if last in ("add", "delete") or (last == "change" and method == "post"):
            return last
        return "view" if method == "get" or self.name in READING else "write"

    def is_for(self, role: str, method: str) -> bool:
        """Say whether a role may, as far as the table of roles tells."""
        app, _, model = self.label.partition(".")
        verb = self.verb(method)
        verbs = ("add", "change", "delete") if verb == "write" else (verb,)
        wanted = {f"{app}.{each}_{model}" for each in verbs}
        if verb == "write":
            wanted.add(OTHERWISE.get(self.label, ""))
        return bool(wanted & PERMISSIONS[role])


def routes(found: URLResolver, before: str = "") -> Iterator[tuple[str, str]]:
    for each in found.url_patterns:
        if isinstance(each, URLResolver):
            yield from routes(each, before + str(each.pattern))
        else:
            yield before + str(each.pattern), each.name or ""


def addresses() -> Iterator[Address]:
    """Yield every address of the staff, each with the model that it belongs to."""
    registered = {model._meta.label_lower for model in admin.site._registry}
    for route, name in routes(get_resolver()):
        if OF_ALL.match(route) or not name:  # Django's own redirects have no name.
            continue
        found = OF_A_MODEL.match(route)
        label = ".".join(found.groups()) if found else ""
        if label not in registered:
            start = next(start for start in ELSEWHERE if name.startswith(start))
            model = ELSEWHERE[start]
            label = model._meta.label_lower if model else "retrieval.categorymismatch"
        found = Address(route, name, label)
        if not (found.takes_a_row and label in {m._meta.label_lower for m in UNWRITABLE}):
            yield found


def one(model: Any, hospital: Any) -> Any:
    """Return a row of a hospital, made of the least that it needs."""
    manager = model._default_manager
    own = {"hospital": hospital} if any(f.name == "hospital" for f in model._meta.fields) else {}
    if found := manager.filter(**own).first():
        return found
    fields = [
        field
        for field in model._meta.concrete_fields
        if not (
            (field.primary_key and not field.is_relation)
            or field.has_default()
            or field.null
            or field.generated
        )
        and not getattr(field, "auto_now_add", False)
        and (field.is_relation or not field.blank)
    ]
    return manager.create(**{field.name: value(field, hospital) for field in fields})


def value(field: Any, hospital: Any) -> Any:
    if field.is_relation and field.related_model is type(hospital):
        return hospital
    if field.is_relation and field.related_model is get_user_model():
        return get_user_model().objects.get(username=f"{hospital.slug}-owner")
    if field.is_relation:
        return one(field.related_model, hospital)
    made = {
        models.DateTimeField: timezone.now(), models.DateField: timezone.localdate(),
        models.BooleanField: True, models.JSONField: {}, models.IntegerField: 1,
        models.FloatField: 1, models.DecimalField: 1,
    }  # fmt: skip
    kinds = [kind for kind in type(field).__mro__ if kind in made]
    if field.choices:
        return field.choices[0][0]
    if field.get_internal_type() == "ArrayField":
        return []
    return made[kinds[0]] if kinds else f"{hospital.slug}-x"[: field.max_length]


def furnish(hospital: Any) -> dict[str, Any]:
    """Return a row of every model of the admin, and of what else an address takes."""
    with serving(hospital):
        owner = member(hospital, Role.QUALITY, username=f"{hospital.slug}-owner")
        made = {
            kind: factories.entity(
                hospital, kind, f"{hospital.slug} {kind}", owner=owner
            ).entity_ptr
            for kind in ENTITY_MODELS
        }
        factories.relate(made["doctor"], Predicate.WORKS_IN, made["department"])
        old = factories.entity(hospital, "condition", f"{hospital.slug} old")
        merge(old, made["condition"], by=owner)
        if live_version() is None:
            publish(hospital, by=owner)
        rows = {"zol.hospital": hospital, "auth.user": owner}
        rows["zol.apitoken"] = ApiToken.objects.create(user=owner, hospital=hospital)[0]
        wanted = {*admin.site._registry, Preview} - UNWRITABLE
        for model in sorted(wanted, key=lambda each: each._meta.label):
            rows.setdefault(model._meta.label_lower, None)
            rows[model._meta.label_lower] = rows[model._meta.label_lower] or one(model, hospital)
        rows["evaluation.run"] = Run.objects.create(
            hospital=hospital
        )  # Without answers, to report.
    return rows


def content_of(rows: dict[str, Any], hospital: Any) -> list[Any]:
    with serving(hospital):
        return [(label, type(row)._default_manager.filter(pk=row.pk).values().first())
                for label, row in rows.items()]  # fmt: skip


def tried(browser: Any, method: str, address: str) -> Any:
    """Ask, undo what it did, and remember whether it did something."""
    if address == "/admin/logout/":  # Who is signed out is offered nothing any more.
        return HttpResponse()
    browser.raise_request_exception = False
    is_call = method == "post" and "/api/" in address
    more = {"data": SAID, "content_type": "application/json"} if is_call else {}
    written: list[str] = []

    def listen(execute: Any, sql: str, *rest: Any) -> Any:
        if WRITES.match(str(sql)):
            written.append(str(sql))
        return execute(sql, *rest)

    with transaction.atomic(), connection.execute_wrapper(listen):
        answer = getattr(browser, method)(address, **more)
        transaction.set_rollback(True)
    answer.has_written = bool(written)
    return answer


def offered(page: str, answer: Any) -> Iterator[tuple[str, str]]:
    """Yield what a page offers: where its links and the buttons of its forms lead."""
    tree = html.document_fromstring(answer.content)
    found = [("get", link.get("href")) for link in tree.iterfind(".//a[@href]")]
    for form in tree.forms:
        # Django's own form on its own page has its button for who may press it.
        is_djangos = not form.action and page.endswith(("/add/", "/change/", "/delete/"))
        if form.method == "POST" and not is_djangos and form.xpath(BUTTON):
            found.append(("post", form.action or ""))
    for method, link in found:
        parts = urlsplit(urljoin(page, link))
        if not parts.netloc and parts.path.startswith(("/admin/", "/api/")):
            yield method, parts.path


ADDRESSES = list(addresses())


@pytest.fixture(scope="module")
def furnished(django_db_setup, django_db_blocker):
    """Two hospitals and their rows, made once: what a test writes is undone before the next."""
    with django_db_blocker.unblock(), transaction.atomic():
        here = factories.hospital()
        there = factories.hospital(slug="elders", name="Ziekenhuis Elders", short_name="ZE")
        with serving(here):
            talk(here, QUESTION)
            GoldenQuestion.objects.all().delete()  # Staff chose those words.
        yield here, there, furnish(here), furnish(there)
        transaction.set_rollback(True)


@pytest.fixture
def hospital(furnished, db):
    with serving(furnished[0]):
        yield furnished[0]


@pytest.fixture
def other_hospital(furnished):
    return furnished[1]


@pytest.fixture
def both(furnished, work_at_once, monkeypatch):
    # Nobody looks at what a template was given, and copies of that cost a third of the time.
    monkeypatch.setattr(Template, "_render", lambda self, context: self.nodelist.render(context))
    # Nor reads anybody what is written of every refusal, with its traceback.
    monkeypatch.setattr(logging.getLogger("django.request"), "disabled", True)
    # The menu stands on the home page, too; there it is followed once.
    monkeypatch.setattr(admin.site, "enable_nav_sidebar", False)
    return furnished[2:]


def asked(
    browser: Any, role: str, rows: dict[str, Any], addresses: Iterable[Address]
) -> tuple[list[str], dict[str, Any]]:
    """Return what a role reaches that it may not, and the answers to what it may see."""
    wrong, seen = [], {"/admin/": tried(browser, "get", "/admin/")}
    for address in addresses:
        at = address.at(rows)
        seen[at] = tried(browser, "get", at)
        if not address.is_for(role, "get") and seen[at].status_code not in REFUSED:
            wrong.append(f"get {at}: {seen[at].status_code}, and the role may not")
        if address.is_for(role, "post") or address.is_read_only:
            continue
        sent = tried(browser, "post", at)
        is_read = sent.status_code == 200 == seen[at].status_code and not sent.has_written
        if sent.status_code not in REFUSED and not is_read:
            wrong.append(f"post {at}: {sent.status_code}, and the role may not")
    return wrong, seen


def leading_nowhere(browser: Any, seen: dict[str, Any]) -> Iterator[str]:
    """Yield what is offered and then refused or not there, and pages that fail or tell too much."""
    known = {("get", page): answer.status_code for page, answer in seen.items()}
    for page, answer in seen.items():
        if answer.status_code == 500:
            yield f"{page} fails"
        if answer.status_code == 200 and "html" in answer["Content-Type"]:
            if "elders" in answer.text:
                yield f"{page} tells of another hospital"
            for key in offered(page, answer):
                known[key] = known.get(key) or tried(browser, *key).status_code
                if known[key] in GONE | {405} or known[key] >= 500:
                    yield f"{page} offers {' '.join(key)}: {known[key]}"


@pytest.mark.parametrize("role", list(Role))
def test_a_role_reaches_what_it_may_and_is_offered_nothing_else(hospital, both, role):
    browser = signed_in(hospital, role)

    wrong, seen = asked(browser, role, both[0], ADDRESSES)

    wrong += sorted(set(leading_nowhere(browser, seen)))
    if "chat.view_message" not in PERMISSIONS[role]:
        told = (at for at, answer in seen.items() if not answer.streaming and WORD in answer.text)
        wrong += [f"{at} tells what a patient asked" for at in told]
    assert not wrong, "\n".join(wrong)


def test_a_row_of_another_hospital_is_out_of_reach_of_all_roles_together(
    hospital, other_hospital, both
):
    mine, theirs = both
    browser = signed_in(hospital, *Role, username="alles")
    before = content_of(theirs, other_hospital)

    reached = [
        f"{method} {address.at(theirs)}"
        for address in ADDRESSES
        if address.takes_a_row and address.at(theirs) != address.at(mine)
        for method in ("get", "post")
        if not is_nothing(answer := tried(browser, method, address.at(theirs)))
        or "elders" in answer.text
    ]

    assert not reached, "\n".join(reached)
    for model, page in admin.site._registry.items():
        row, opts = theirs.get(model._meta.label_lower), model._meta
        for name in [name for _do, name, _told in page._get_base_actions()] if row else ():
            browser.post(
                f"/admin/{opts.app_label}/{opts.model_name}/",
                {"action": name, "_selected_action": row.pk, "post": "yes"},
            )
    assert content_of(theirs, other_hospital) == before


def test_who_is_nobody_here_gets_in_nowhere(hospital, other_hospital, both):
    """Signed out, and signed in with all roles that there are, but at another hospital."""
    elsewhere = Client(HTTP_HOST=host_of(hospital))
    with serving(other_hospital):
        elsewhere.force_login(member(other_hospital, *Role, username="alles"))

    reached = [
        f"{method} {at}: {answer.status_code}"
        for browser in (Client(HTTP_HOST=host_of(hospital)), elsewhere)
        for at in (address.at(both[0]) for address in ADDRESSES)
        for method in ("get", "post")
        if (answer := tried(browser, method, at)).has_written or not is_shut(answer)
    ]

    assert not reached, "\n".join(reached)


@pytest.mark.parametrize("role", list(Role))
def test_a_key_opens_what_its_owner_may_and_nothing_else(hospital, both, role):
    mine, theirs = both
    key = ApiToken.objects.create(user=member(hospital, role), hospital=hospital)[1]
    caller = Client(HTTP_HOST=host_of(hospital), HTTP_AUTHORIZATION=f"Token {key}")
    calls = [address for address in ADDRESSES if address.route.startswith("api/")]

    wrong, seen = asked(caller, role, mine, calls)

    wrong += [
        f"get {at}: {seen[at].status_code}, and the role may"
        for address in calls
        if address.is_for(role, "get")
        and seen[at := address.at(mine)].status_code not in (200, 405)
    ]
    wrong += [
        f"{method} {address.at(theirs)}"
        for address in calls
        if address.takes_a_row and address.at(theirs) != address.at(mine)
        for method in ("get", "post")
        if not is_nothing(tried(caller, method, address.at(theirs)))
    ]
    assert calls
    assert not wrong, "\n".join(wrong)


def test_every_action_says_who_may_take_it():
    unguarded = [
        f"{page}: {name}"
        for page in admin.site._registry.values()
        for do, name, _told in page._get_base_actions()
        if not getattr(do, "allowed_permissions", ())
    ]

    assert not unguarded


def test_a_planted_page_that_asks_nobody_is_found(hospital, both, monkeypatch):
    """As if somebody had forgotten to ask: the matrix has to notice."""
    planted = [address for address in ADDRESSES if address.label == "taxonomy.alias"]
    page = admin.site._registry[Alias]
    monkeypatch.setattr(page, "has_view_permission", lambda request, obj=None: True)

    wrong, _seen = asked(signed_in(hospital, Role.IT), Role.IT, both[0], planted)

    at = f"/admin/taxonomy/alias/{both[0]['taxonomy.alias'].pk}"
    assert f"get {at}/change/: 200, and the role may not" in wrong
    assert "get /admin/taxonomy/alias/export/csv/: 200, and the role may not" in wrong


def is_shut(answer: Any) -> bool:
    """Say whether somebody is refused, or led to the page to sign in."""
    to_sign_in = answer.status_code == 302 and answer["Location"].startswith("/admin/login/")
    return to_sign_in or answer.status_code in {401, *REFUSED}


def is_nothing(answer: Any) -> bool:
    """Say whether an answer is that there is no such row: Django's pages lead home and say so."""
    return answer.status_code in REFUSED or (answer.status_code == 302 and not answer.has_written)
