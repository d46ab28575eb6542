"""Search ignores accents and case, and no query string causes an error."""

import unicodedata

import pytest
from django.contrib import admin

from retrieval.models import Document
from taxonomy.models import Department
from taxonomy.vocabulary import Kind
from tests.factories import entity
from zol.backoffice.base import HospitalAdmin

pytestmark = pytest.mark.django_db
NAMES = [
    ("Gynécologie", "gynecologie"),
    ("Göğüs Hastalıkları", "gogus hastaliklari"),
    ("Strasse", "straße"),
    ("Καρδιολογία", "καρδιολογια"),
    ("Кардіологія", "КАРДІОЛОГІЯ"),
    ("Œdème", "oedeme"),
    ("a.b (c) [d]", "a.b (c) [d]"),
]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(("name", "sought"), NAMES)
def test_a_name_is_found_however_its_letters_are_written(hospital, name, sought, form):
    entity(hospital, Kind.DEPARTMENT, unicodedata.normalize(form, name), key="a")
    entity(hospital, Kind.DEPARTMENT, "Urologie", key="b")
    other = "NFD" if form == "NFC" else "NFC"

    for text in (sought, unicodedata.normalize(other, name)):
        found = Department.objects.filter(name__alike=text)
        assert [row.key for row in found] == ["a"]


@pytest.mark.parametrize("sought", ["a.b", "axb", "(", "[a", "\\", "%"])
def test_a_sign_is_nothing_but_itself(hospital, sought):
    entity(hospital, Kind.DEPARTMENT, "a.b", key="a")

    assert Department.objects.filter(name__alike=sought).exists() is (sought == "a.b")


def test_lists_and_choosers_search_so(curator, hospital):
    entity(hospital, Kind.DEPARTMENT, "Hartcentrum", "en:Cardiológy", key="hart")
    Document.objects.create(hospital=hospital, path="uploads/ete.html", title="E\u0301te\u0301")

    chosen = curator.get(
        "/admin/autocomplete/?app_label=taxonomy&model_name=relation&field_name=subject&term=cardiology"
    )

    assert "Hartcentrum" in curator.get("/admin/taxonomy/department/?q=CARDIOLOGY").text
    assert [each["text"] for each in chosen.json()["results"]] == ["Hartcentrum"]
    assert "E\u0301te\u0301" in curator.get("/admin/retrieval/document/?q=été").text
    assert "Hartcentrum" in curator.get("/admin/taxonomy/alias/?q=cardiology").text


LISTS = [
    (f"/admin/{model._meta.app_label}/{model._meta.model_name}/", shown)
    for model, shown in sorted(admin.site._registry.items(), key=lambda each: str(each[0]._meta))
    if isinstance(shown, HospitalAdmin)
]
#: Those with days to go through, and one without.
LISTS = [each for each in LISTS if each[1].date_hierarchy] + LISTS[:1]


@pytest.mark.parametrize(("address", "shown"), LISTS)
def test_no_address_of_a_list_is_an_error(curator, django_user_model, address, shown):
    curator.force_login(django_user_model.objects.create_superuser("root", password="x"))
    field = shown.date_hierarchy or "x"
    for asked in (
        f"{field}__year=9999", f"{field}__year=99999", f"{field}__year=0", f"{field}__year=1",
        f"{field}__year=9999&{field}__month=12&{field}__day=31", f"{field}__year=-1",
        f"{field}__year=9999&{field}__month=12", "q=%00", "q=a%00b", "status=%00", "%00=1", "e=%00",
        "o=%00", "p=99999999999999999999", "o=99999999", f"{field}__gte=99999-01-01",
    ):  # fmt: skip
        answer = curator.get(f"{address}?{asked}", follow=True)
        assert answer.status_code in (200, 400, 403), asked


@pytest.mark.parametrize("asked", ["term=%00", "term=a&kind=%00", "term=a&field_name=%00"])
def test_no_request_of_a_chooser_is_an_error(curator, asked):
    base = "/admin/autocomplete/?app_label=taxonomy&model_name=relation&field_name=subject&"

    assert curator.get(base + asked).status_code in (200, 403, 404)
