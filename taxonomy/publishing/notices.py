"""E-mails to staff about a release: to those who can act on it, and to its authors.

They are sent after a step is committed; a mail server that does not answer is only logged.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _

from taxonomy.models import Release
from zol.access.roles import APPROVE, PERMISSIONS
from zol.models import HospitalHost, Membership
from zol.tenancy import serving

logger = logging.getLogger(__name__)


def submitted(release: Release) -> None:
    """Notify all who can approve it."""
    text = _("%s asks for your approval of this release.")
    _send(release, approvers(release), _("For your approval: %s"), text, release.submitted_by)


def approved(release: Release) -> None:
    text = _("%s has approved this release. It can be published.")
    _send(release, _authors(release), _("Approved: %s"), text, release.approved_by)


def rejected(release: Release, by: Any) -> None:
    text = _("%(name)s has rejected this release:\n\n%(reason)s")
    _send(release, _authors(release), _("Rejected: %s"), text, by, reason=release.reason)


def went_live(release: Release, by: Any) -> None:
    people = {*_authors(release), *filter(None, [release.approved_by])}
    text = _("Patients get answers from version %(number)s since %(time)s (%(name)s).")
    number = release.version.number if release.version else "–"
    details = {"number": number, "time": f"{timezone.localtime():%H:%M}"}
    _send(release, people, _("Live: %s"), text, by, **details)


def went_live_urgently(release: Release, by: Any) -> None:
    """Ask everybody who can approve to review an urgent publication."""
    text = _(
        "%(name)s published this release without a colleague and before its preview:\n\n"
        "%(reason)s\n\nReview it by tomorrow, and write on its page what you found."
    )
    subject = _("Published urgently, please review: %s")
    _send(release, approvers(release) - {by}, subject, text, by, reason=release.urgent_reason)


def not_on_time(release: Release, sentence: str, by: Any) -> None:
    """Notify scheduler and authors that it did not go live, with the reason."""
    people = {*_authors(release), *filter(None, [by])}
    text = _("The scheduled go-live was refused:\n\n%(reason)s")
    _send(release, people, _("Not gone live: %s"), text, by, reason=sentence)


def language_of(hospital: Any) -> Any:
    """Activate the hospital's language if the back office is translated into it, else English."""
    language = hospital.default_language
    return translation.override(language if language in ("nl", "en") else "en")


def approvers(release: Release) -> set[Any]:
    """Return the users who may approve a release: with the permission, and not its authors."""
    roles = [role for role, permissions in PERMISSIONS.items() if APPROVE in permissions]
    with serving(release.hospital_id):
        members = Membership.objects.filter(role__in=roles).select_related("user")
        return {each.user for each in members if each.user_id not in release.authors}


def _authors(release: Release) -> set[Any]:
    return {user for user in (release.created_by, release.submitted_by) if user is not None}


def _send(
    release: Release, people: Iterable[Any], subject: Any, text: Any, by: Any, **details: object
) -> None:
    """E-mail people in the hospital's language; without details, `%s` is who took the step."""
    path = reverse("admin:taxonomy_release_change", args=[release.pk])
    with language_of(release.hospital):
        name = by.get_full_name() or by.get_username() if by else _("The system")
        values = details | {"name": name} if details else name
        body = f"{str(text) % values}\n\n{release.note}"
        mail(release.hospital, people, str(subject) % release.title, body, path)


def mail(hospital: Any, people: Iterable[Any], subject: str, text: str, path: str) -> bool:
    """E-mail staff a text and a link to a page; return whether it was sent."""
    addresses = sorted({user.email for user in people if user.email and user.is_active})
    if not addresses:
        return False
    with serving(hospital):
        host = HospitalHost.objects.filter(hospital=hospital).first()
    scheme = "https" if settings.HTTPS else "http"
    body = f"{text}\n\n{scheme}://{host.host if host else ''}{path}\n"
    title = f"[{hospital.short_name}] {subject}".replace("\n", " ")
    try:
        EmailMessage(title, body, to=addresses, connection=get_connection()).send()
    except OSError:  # What smtplib and sockets raise.
        logger.exception("No e-mail could be sent about %s", path)
        return False
    return True
