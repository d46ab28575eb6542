"""Staff see the embedded chat, with the HTML that embeds it."""

import pytest
from django.urls import reverse

from tests.zol.staff import host_of, signed_in
from zol.models import Role, WidgetKey


@pytest.fixture
def key(hospital):
    return WidgetKey.objects.create(hospital=hospital, origins=["https://www.example.org"])


def seen(key):
    return reverse("admin:zol_widgetkey_seen", args=[key.pk])


def test_the_page_has_the_line_to_copy_and_the_widget_itself(hospital, key):
    page = signed_in(hospital, Role.IT).get(seen(key)).content.decode()

    script = f"http://{host_of(hospital)}/widget.js"
    assert f'&lt;script src="{script}" data-key="{key.key}" async&gt;' in page
    assert f'<script src="/widget.js" data-key="{key.key}" async></script>' in page
    assert "https://www.example.org" in page


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        pytest.param("https://www.EXAMPLE.org/", ["https://www.example.org"], id="as copied"),
        pytest.param("https://a.be\r\nhttps://a.be/", ["https://a.be"], id="twice"),
    ],
)
def test_an_address_is_taken_as_it_was_copied(hospital, key, written, kept):
    change = reverse("admin:zol_widgetkey_change", args=[key.pk])
    signed_in(hospital, Role.IT).post(change, {"origins": written, "is_active": "on"})

    key.refresh_from_db()
    assert key.origins == kept


@pytest.mark.parametrize(
    "written", ["www.example.org", "https://a.be/page", "https://x; script-src *"]
)
def test_what_is_no_origin_is_refused_with_a_sentence(hospital, key, written):
    change = reverse("admin:zol_widgetkey_change", args=[key.pk])
    page = signed_in(hospital, Role.IT).post(change, {"origins": written, "is_active": "on"})

    assert "is not the address of a website" in page.content.decode()
    key.refresh_from_db()
    assert key.origins == ["https://www.example.org"]


def test_the_script_is_the_same_for_every_site_and_knows_all_languages(hospital, client):
    reply = client.get("/widget.js", HTTP_HOST="nobody.example")

    assert reply.headers["Content-Type"] == "text/javascript"
    assert "max-age=300" in reply.headers["Cache-Control"]
    for words in ("Stel uw vraag", "Κάντε την ερώτησή σας", "De assistent wordt geladen."):
        assert words in reply.content.decode()
    again = client.get("/widget.js", HTTP_IF_NONE_MATCH=reply.headers["ETag"])
    assert again.status_code == 304
