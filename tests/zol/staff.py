"""Staff accounts, signed in at the host of a hospital."""

from django.contrib.auth import get_user_model
from django.test import Client

from zol.models import Hospital, HospitalHost, Membership
from zol.tenancy import serving

PASSWORD = "geheim-1234"


def member(hospital: Hospital, *roles: str, username: str = ""):
    """Return somebody who works for a hospital, in these roles."""
    name = username or "-".join(roles) or "nobody"
    user = get_user_model().objects.create_user(name, password=PASSWORD, is_staff=True)
    with serving(hospital):
        for role in roles:
            Membership.objects.create(hospital=hospital, user=user, role=role)
    return user


def signed_in(hospital: Hospital, *roles: str, language: str = "en", username: str = "") -> Client:
    """Return a browser in which somebody with these roles has signed in."""
    browser = Client(HTTP_HOST=host_of(hospital), HTTP_ACCEPT_LANGUAGE=language)
    with serving(hospital):
        browser.force_login(member(hospital, *roles, username=username))
    return browser


def host_of(hospital: Hospital) -> str:
    return HospitalHost.objects.filter(hospital=hospital).values_list("host", flat=True)[0]


def filled_in(page, **changes):
    """Return what the browser would send for a page of the admin, with changes."""
    forms = [page.context["adminform"].form]
    for inline in page.context["inline_admin_formsets"]:
        forms += [inline.formset.management_form, *inline.formset.forms]
    values = {}
    for form in forms:
        for bound in form:
            value = bound.value()
            if isinstance(value, bool):
                value = "on" if value else None
            if value is not None:
                values[bound.html_name] = bound.field.prepare_value(value)
    return {name: value for name, value in (values | changes).items() if value is not None}
