"""Builders of releases, with their author and approver."""

from typing import Any

from django.contrib.auth import get_user_model

from taxonomy.models import LivePointer, Release, Version
from taxonomy.publishing.approval import approve, keep_preview, open_release, submit
from taxonomy.publishing.going_live import publish_release
from taxonomy.publishing.versions import publish
from tests.zol.staff import member
from zol.models import Hospital, Membership, Role
from zol.tenancy import serving


def somebody(hospital: Hospital, role: str, name: str) -> Any:
    """Return a colleague, hired when first asked for."""
    found = get_user_model()._default_manager.filter(username=name).first()
    if found is None:
        return member(hospital, role, username=name)
    # Hired by a hospital of an earlier test, which is gone.
    with serving(hospital):
        Membership.objects.get_or_create(hospital=hospital, user=found, role=role)
    return found


def author(hospital: Hospital) -> Any:
    return somebody(hospital, Role.OPERATOR, "anna")


def approver(hospital: Hospital) -> Any:
    return somebody(hospital, Role.OPERATOR, "bert")


def previewed(release: Release, broken: int = 0) -> Release:
    """Say that the impact preview of a release has finished."""
    with serving(release.hospital_id):
        seen = release.version.number
        keys = [f"golden-{number}" for number in range(broken)]
        return keep_preview(release, {"broken": keys}, broken=broken, seen=seen)


def submitted(hospital: Hospital, title: str = "Nieuw", *, is_previewed: bool = True) -> Release:
    with serving(hospital):
        opened = open_release(by=author(hospital), title=title)
        release = submit(opened, by=author(hospital))
        return previewed(release) if is_previewed else release


def approved(hospital: Hospital, title: str = "Nieuw") -> Release:
    with serving(hospital):
        return approve(submitted(hospital, title), by=approver(hospital))


def publish_draft(hospital: Hospital) -> Version:
    """Make the draft live: at first by itself, later through a release that another approves."""
    with serving(hospital):
        if not LivePointer.objects.exists():
            return publish(hospital, by=None)
        return publish_release(approved(hospital), by=approver(hospital))
