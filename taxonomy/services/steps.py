"""Common ground of every step of a release: who may take it, whether it may follow, who is told.

The database refuses the same things once more (taxonomy/models/rules.py). E-mail to who can act on
a release, or has to know what became of it, is sent once a step is committed; a mail server that
does not answer holds nothing up: it is logged.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db import transaction
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from taxonomy.content import content_of
from taxonomy.models import Release, Version
from taxonomy.models.releases import State
from taxonomy.services.publishing import live_version
from zol.audit import record
from zol.errors import StepRefused
from zol.models import AuditEntry, HospitalHost, Membership
from zol.postgres.locks import publish_alone
from zol.roles import APPROVE, PERMISSIONS, may_enter
from zol.tenancy import serving

logger = logging.getLogger(__name__)


def submitted(release: Release) -> None:
    """Tell everybody who can approve it."""
    with _in_language_of(release):
        _send(
            release,
            _approvers(release),
            _("For your approval: %s") % release.title,
            _("%s asks for your approval of this release.") % _name(release.submitted_by),
        )


def approved(release: Release) -> None:
    with _in_language_of(release):
        _send(
            release,
            _authors(release),
            _("Approved: %s") % release.title,
            _("%s has approved this release. It can be published.") % _name(release.approved_by),
        )


def rejected(release: Release, by: Any) -> None:
    with _in_language_of(release):
        _send(
            release,
            _authors(release),
            _("Rejected: %s") % release.title,
            _("%(name)s has rejected this release:\n\n%(reason)s")
            % {"name": _name(by), "reason": release.reason},
        )


def went_live(release: Release, by: Any) -> None:
    with _in_language_of(release):
        version = release.version
        _send(
            release,
            {*_authors(release), *([release.approved_by] if release.approved_by else [])},
            _("Live: %s") % release.title,
            _("Patients are answered from version %(number)s since %(time)s (%(name)s).")
            % {
                "number": version.number if version else "–",
                "time": f"{timezone.localtime():%H:%M}",
                "name": _name(by),
            },
        )


def went_live_urgently(release: Release, by: Any) -> None:
    """Ask everybody who can approve to look at what one person published at once."""
    with _in_language_of(release):
        _send(
            release,
            {each for each in _approvers(release) if each != by},
            _("Published urgently, please look: %s") % release.title,
            _("%(name)s published this release without a colleague and before its preview:\n\n"
              "%(reason)s\n\nLook at it by tomorrow, and say on its page what you found.")
            % {"name": _name(by), "reason": release.urgent_reason},
        )  # fmt: skip


def not_on_time(release: Release, sentence: str, by: Any) -> None:
    """Tell who scheduled it that it did not go live, and why."""
    with _in_language_of(release):
        _send(
            release,
            {*_authors(release), *([by] if by else [])},
            _("Not gone live: %s") % release.title,
            _("The scheduled go-live was refused:\n\n%s") % sentence,
        )


def _in_language_of(release: Release) -> Any:
    """Write in the language of the house, when the back office speaks it."""
    language = release.hospital.default_language
    return translation.override(language if language in ("nl", "en") else "en")


def _approvers(release: Release) -> set[Any]:
    roles = [role for role, permissions in PERMISSIONS.items() if APPROVE in permissions]
    with serving(release.hospital_id):
        members = Membership.objects.filter(role__in=roles).select_related("user")
        return {each.user for each in members if each.user_id not in release.authors}


def _authors(release: Release) -> set[Any]:
    return {user for user in (release.created_by, release.submitted_by) if user is not None}


def _name(user: Any) -> str:
    return user.get_full_name() or user.get_username() if user else _("The system")


def _send(release: Release, people: Iterable[Any], subject: str, text: str) -> None:
    addresses = sorted({user.email for user in people if user.email and user.is_active})
    if not addresses:
        return
    body = f"{text}\n\n{release.note}\n\n{_address(release)}\n"
    title = f"[{release.hospital.short_name}] {subject}".replace("\n", " ")
    mail = EmailMessage(title, body, to=addresses, connection=get_connection())
    try:
        mail.send()
    except OSError:  # What smtplib and sockets raise.
        logger.exception("No notice of release %s could be sent", release.pk)


def _address(release: Release) -> str:
    with serving(release.hospital_id):
        host = HospitalHost.objects.filter(hospital_id=release.hospital_id).first()
    path = reverse("admin:taxonomy_release_change", args=[release.pk])
    return f"{'https' if settings.HTTPS else 'http'}://{host.host if host else ''}{path}"


@contextmanager
def step(release: Release) -> Iterator[Release]:
    """Hold a release, read anew, while nobody else takes a step at its hospital."""
    with transaction.atomic():
        publish_alone(release.hospital_id)
        yield Release.objects.select_related("hospital", "version", "base").get(pk=release.pk)


def move(held: Release, state: State, what: AuditEntry.What, **said: Any) -> None:
    said.setdefault("before", held.state)
    said.setdefault("after", state)
    held.state = state
    held.save()
    held.refresh_from_db(fields=["authors"])
    record(what, held, **said)


def frozen(release: Release) -> Version:
    version = release.version
    if version is None:
        raise StepRefused(_("This release has not been submitted yet."))
    return version


def require(by: Any, permission: str) -> None:
    if by is None or not may_enter(by) or not by.has_perm(permission):
        raise StepRefused(_("Your roles at this hospital do not include this step."))


def must_be(held: Release, *states: State) -> None:
    if held.state not in states:
        raise StepRefused(
            _("This is not possible: the release “%(title)s” is “%(state)s” by now.")
            % {"title": held.title, "state": held.get_state_display()}
        )


def must_be_what_was_seen(held: Release, seen: int | None) -> None:
    if seen is not None and frozen(held).number != seen:
        raise StepRefused(
            _("The release was submitted anew since you looked at it. Look at it once more.")
        )


def must_be_another(held: Release, by: Any) -> None:
    if by is not None and by.pk in held.authors:
        raise StepRefused(
            _("You opened or submitted this release, or edited something that it contains: "
              "a colleague has to approve it.")
        )  # fmt: skip


def must_still_fit(held: Release) -> None:
    """Refuse a release that was made against another live version: it would undo that one."""
    live = live_version()
    if (live.pk if live else None) != held.base_id:
        raise StepRefused(
            _("Version %(live)s has gone live since this release was submitted. Take it back and "
              "submit it again, so that a colleague sees what it changes now.")
            % {"live": live.number if live else "–"}
        )  # fmt: skip


def must_be_previewed(held: Release) -> None:
    """Refuse content of which nobody can know yet what it changes for patients."""
    if not held.is_previewed:
        raise StepRefused(
            _("The impact preview of this release has not finished: only then is it known what it "
              "changes for patients. A worker for evaluation makes it by itself; where none runs, "
              "`manage.py preview %d` does.") % held.pk
        )  # fmt: skip


def must_say_why_it_breaks(held: Release, reason: str, by: Any) -> None:
    """Refuse what breaks golden questions, unless somebody who is no author has written why."""
    if not held.broken:
        return
    if not held.broken_reason and reason.strip():
        if by is None or by.pk in held.authors:
            raise StepRefused(
                _("You opened or submitted this release, or edited something that it contains: a "
                  "colleague has to say why it goes live although golden questions break.")
            )  # fmt: skip
        held.broken_reason, held.broken_by = reason.strip(), by
    if not held.broken_reason:
        raise StepRefused(
            _("This release breaks %d golden questions. A colleague who is not among its authors "
              "has to say in writing why it goes live all the same.") % held.broken
        )  # fmt: skip


def must_be_whole(held: Release) -> None:
    """Refuse content with a relation to something unpublished, or other than what was approved."""
    version = frozen(held)
    content = content_of(version)
    if dangling := content.dangling():
        raise StepRefused(
            _("%(number)d relations point to something that is not published: %(first)s.")
            % {"number": len(dangling), "first": dangling[0].subject.key}
        )
    if version.fingerprint and version.fingerprint != content.fingerprint():
        raise StepRefused(_("The content of version %d is not what was frozen.") % version.number)
