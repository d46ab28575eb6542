"""The admin site: access, home page and languages."""

import contextlib
import re

import pytest
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.urls import NoReverseMatch, reverse

from chat.behaviours import Behaviour
from chat.models import Conversation, Message
from evaluation.models import GoldenQuestion
from retrieval.intents import Intent
from retrieval.models import AffinityCell, CategoryMismatch, ContentCategory
from taxonomy.vocabulary import Kind, Predicate
from tests import factories
from tests.zol.staff import PASSWORD, host_of, member, signed_in
from zol.models import ApiToken, Membership, Role
from zol.tenancy import serving

pytestmark = pytest.mark.django_db
HOME = "/admin/"


def sign_in(client, hospital, username):
    return client.post(
        "/admin/login/",
        {"username": username, "password": PASSWORD, "next": HOME},
        headers={"host": host_of(hospital), "accept-language": "en"},
    )


def test_a_member_signs_in_at_the_hospitals_address(client, hospital):
    member(hospital, Role.CURATOR)

    assert sign_in(client, hospital, "curator").url == HOME


def test_a_member_of_another_hospital_is_refused(client, hospital, other_hospital):
    member(other_hospital, Role.OPERATOR)

    page = sign_in(client, hospital, "operator")

    assert "no role at this hospital" in page.text
    assert "sessionid" not in client.cookies


def test_home_says_whose_it_is_and_what_waits(hospital, curator):
    factories.entity(hospital, Kind.DEPARTMENT, "Cardiologie")
    factories.entity(hospital, Kind.CONDITION, "Palpitaties")

    page = curator.get(HOME)

    assert "Ziekenhuis Test" in page.text
    assert "Departments without doctors" in page.text
    assert "Conditions without department" in page.text
    assert "Treatments without department" not in page.text


@pytest.mark.parametrize(
    ("asked", "shown", "word"),
    [
        ("nl", "nl", "Wat u vandaag te doen hebt"),
        ("en", "en", "What you have to do today"),
        ("fr", "en", "What you have to do today"),
    ],
)
def test_pages_are_in_dutch_or_english_until_another_is_chosen(hospital, asked, shown, word):
    browser = signed_in(hospital, Role.CURATOR, language=asked)

    page = browser.get(HOME)

    assert f'<html lang="{shown}"' in page.text
    assert word in page.text
    other = {"nl": "en", "en": "nl"}[shown]
    browser.post("/admin/language/", {"language": other, "next": HOME})
    assert f'<html lang="{other}"' in browser.get(HOME).text


def test_a_colleague_is_given_a_role_by_login_name_and_nobody_gives_one_to_themselves(
    hospital, other_hospital
):
    member(other_hospital, Role.ANALYST)
    browser = signed_in(hospital, Role.IT)

    browser.post("/admin/zol/membership/add/", {"username": "analyst", "role": Role.CURATOR})

    assert Membership.objects.get(user__username="analyst").role == Role.CURATOR
    browser.post("/admin/zol/membership/add/", {"username": "it", "role": Role.OPERATOR})
    assert not Membership.objects.filter(role=Role.OPERATOR).exists()


def test_the_account_of_somebody_who_works_elsewhere_too_is_not_changed(hospital, other_hospital):
    user = member(other_hospital, Role.OPERATOR, username="beide")
    with serving(hospital):
        Membership.objects.create(hospital=hospital, user=user, role=Role.ANALYST)
    browser = signed_in(hospital, Role.IT)

    answer = browser.post(f"/admin/auth/user/{user.pk}/password/", {"password1": "x"})

    assert answer.status_code == 403


def test_it_makes_an_account_with_a_role(hospital):
    password = "een-lang-wachtwoord-9"
    form = {
        "username": "nieuw", "usable_password": "true", "password1": password, "password2": password,
        "memberships-TOTAL_FORMS": "1", "memberships-INITIAL_FORMS": "0",
        "memberships-0-role": Role.CURATOR,
    }  # fmt: skip

    signed_in(hospital, Role.IT).post("/admin/auth/user/add/", form)

    made = Membership.objects.select_related("user").get(user__username="nieuw")
    assert (made.hospital, made.role, made.user.is_staff) == (hospital, Role.CURATOR, True)
    assert not made.user.is_superuser


def choosing_people():
    """Every field of a page that names an account; roles go by login name, keys are one's own."""
    people, others = get_user_model(), (Membership, ApiToken)
    for model, page_of in admin.site._registry.items():
        for field in model._meta.fields:
            if field.related_model is people and field.editable and model not in others:
                yield pytest.param(page_of, field, id=f"{model._meta.label_lower}.{field.name}")


@pytest.mark.parametrize(("page_of", "field"), list(choosing_people()))
def test_only_people_of_this_hospital_can_be_chosen(rf, hospital, other_hospital, page_of, field):
    mine = member(hospital, Role.ANALYST, Role.QUALITY, username="van-hier")
    strange = member(other_hospital, Role.OPERATOR, username="vreemde")
    request = rf.get("/")
    request.user = mine

    offered = page_of.formfield_for_dbfield(field, request)

    assert list(offered.queryset) == [mine]
    with pytest.raises(ValidationError):
        offered.clean(str(strange.pk))


def words_of(page):
    """What somebody reads on a page below the menu."""
    shown = page.text.partition('id="content"')[2]
    return " ".join(re.sub(r"<script.*?</script>|<[^>]*>", " ", shown, flags=re.DOTALL).split())


@pytest.fixture
def coded(hospital):
    """A hospital with its default rows and an answer, all of which hold codes."""
    factories.with_defaults(hospital)
    intent = Intent.NAVIGATION_OR_PRACTICAL_INFO
    Message.objects.create(
        hospital=hospital, conversation=Conversation.objects.create(hospital=hospital),
        question="Waar?", language="nl", intent=intent, behaviour=Behaviour.REFUSE_MEDICAL,
    )  # fmt: skip
    CategoryMismatch.objects.create(
        hospital=hospital, steering_row="navigation_or_practical_info", mismatch_rate=0.5,
        primary_category="clinical_info", intent=intent, chunks_total=2, chunks_off_category=1,
    )  # fmt: skip
    GoldenQuestion.objects.create(
        hospital=hospital, key="x", category="practical_info", language="nl", turns=["Waar?"],
        expect=Behaviour.REFUSE_MEDICAL, intent=intent,
    )  # fmt: skip
    factories.relate(
        factories.entity(hospital, Kind.DOCTOR, "Ann Peeters", last_name="Peeters"),
        Predicate.WORKS_IN,
        factories.entity(hospital, Kind.DEPARTMENT, "Cardiologie"),
    )
    return signed_in(hospital, *Role, username="alles")


CODED = [
    "chat/message", "chat/cue", "chat/intentexample", "chat/rewritetemplate", "chat/conversation",
    "retrieval/affinitycell", "retrieval/categorykeyword", "retrieval/steeringroute",
    "retrieval/categoryfilter", "retrieval/entitykindboost", "retrieval/categorymismatch",
    "retrieval/affinitycell/matrix", "evaluation/goldenquestion", "taxonomy/relation",
    "chat/intentexample/add", "chat/cue/add", "retrieval/steeringroute/add",
    "retrieval/categorykeyword/add", "evaluation/goldenquestion/add", "taxonomy/relation/add",
]  # fmt: skip


def test_codes_are_shown_by_their_names(coded):
    categories = ContentCategory.objects.values_list("category", flat=True)
    rows = AffinityCell.objects.values_list("row", flat=True)
    known = {*map(str, Intent), *Behaviour, *categories, *rows, *Predicate, "practical_info"}

    found = {}
    for path in CODED:
        shown = words_of(coded.get(f"/admin/{path}/"))
        found[path] = [code for code in sorted(known) if "_" in code and code in shown]

    assert {path: codes for path, codes in found.items() if codes} == {}


def addresses():
    """The addresses of all pages of the back office that take no argument, by their names."""

    def names(patterns):
        for each in patterns:
            yield from names(each.url_patterns) if hasattr(each, "url_patterns") else [each.name]

    found = {}
    for name in filter(None, names(admin.site.get_urls())):
        with contextlib.suppress(NoReverseMatch):
            found[name] = reverse(f"admin:{name}")
    return found


#: What neither the menu nor a page of it leads to, and what does.
REACHED_OTHERWISE = {
    "evaluation_preview_changelist": "the page of a release leads to each preview",
    "evaluation_result_changelist": "the page of a run",
    "retrieval_ingestionitem_changelist": "the page of an ingestion run",
    "retrieval_retrievalsetting_changelist": "the crumbs of one number's page; all stand on a page of the menu",
    "taxonomy_entity_changelist": "fields in which an entity of any kind is chosen",
    "password_change_done": "the page on which a password is changed",
    "login": "any page, for who is not signed in",
    "jsi18n": "the scripts of lists",
}


def test_every_page_is_in_the_menu_or_reached_from_a_page_that_is(coded):
    known = addresses()
    seen, left = set(), {HOME}
    while left:
        seen |= left
        pages = [coded.get(address) for address in sorted(left)]
        texts = [page.text for page in pages if "html" in page.get("content-type", "")]
        links = re.findall(r'(?:href|action|data-[a-z-]*url)="(/admin/[^"?#]*)', " ".join(texts))
        left = set(links) & set(known.values()) - seen - {reverse("admin:logout")}

    lost = {name for name, address in known.items() if address not in seen}
    may_open = {name for name in lost if coded.get(known[name]).status_code not in (403, 405)}
    assert may_open == set(REACHED_OTHERWISE)
