"""Permissions follow only from the role at the hospital being served."""

import io

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command

from tests.zol.staff import member
from zol.access.roles import PERMISSIONS, may_enter
from zol.models import Membership, Role
from zol.tenancy import serving

pytestmark = pytest.mark.django_db


def fresh(user):
    """Return the user as the next request sees them."""
    return get_user_model().objects.get(pk=user.pk)


@pytest.mark.parametrize(
    ("roles", "may", "may_not"),
    [
        ([Role.CURATOR], ["taxonomy.change_doctor"], "taxonomy.publish"),
        ([Role.OPERATOR], ["taxonomy.publish"], "zol.add_membership"),
        ([Role.QUALITY], ["evaluation.add_goldenquestion"], "taxonomy.change_doctor"),
        ([Role.ANALYST], ["chat.view_message"], "chat.change_fixedtext"),
        ([Role.IT], ["zol.add_membership"], "chat.view_message"),
        ([Role.CURATOR, Role.IT], ["taxonomy.change_doctor", "zol.add_membership"], "taxonomy.publish"),
    ],
)  # fmt: skip
def test_a_role_may_do_its_work_and_no_other_and_roles_add_up(hospital, roles, may, may_not):
    user = member(hospital, *roles)

    assert user.has_perms(may)
    assert not user.has_perm(may_not)


def test_nobody_but_the_machine_writes_versions_conversations_and_results():
    granted = set().union(*PERMISSIONS.values())

    written = {"taxonomy.version", "chat.message", "chat.conversation", "evaluation.result"}
    forbidden = {
        f"{app}.{verb}_{model}"
        for app, model in (name.split(".") for name in written)
        for verb in ("add", "change", "delete")
    }

    assert not granted & forbidden


def test_a_role_at_another_hospital_counts_for_nothing_here(hospital, other_hospital):
    user = member(other_hospital, Role.OPERATOR)

    assert not user.has_perm("taxonomy.publish")
    assert not may_enter(user)
    with serving(other_hospital):
        assert user.has_perm("taxonomy.publish")


def test_permissions_stored_in_the_database_count_for_nothing(hospital):
    from django.contrib.auth.models import Permission

    user = member(hospital, Role.ANALYST)
    user.user_permissions.add(Permission.objects.get(codename="change_doctor"))

    assert not fresh(user).has_perm("taxonomy.change_doctor")


def test_who_is_switched_off_may_do_nothing(hospital):
    user = member(hospital, Role.OPERATOR)
    user.is_active = False

    assert not user.has_perm("taxonomy.publish")
    assert not may_enter(user)


def test_demo_users_get_a_login_for_each_role(hospital, client):
    client.defaults["HTTP_HOST"] = "test.localhost"
    said = io.StringIO()

    call_command("create_demo_users", demo=True, hospital=hospital.slug, stdout=said)
    call_command("create_demo_users", demo=True, hospital=hospital.slug, stdout=io.StringIO())

    assert Membership.objects.count() == len(Role)
    password = said.getvalue().split()[-1]
    for role in Role:
        page = client.post(
            "/admin/login/", {"username": role, "password": password, "next": "/admin/"}
        )
        assert page.status_code == 302, role


def test_demo_users_are_only_for_demonstrations(hospital, settings):
    with pytest.raises(CommandError, match="--demo"):
        call_command("create_demo_users", hospital=hospital.slug)

    settings.HTTPS = True
    with pytest.raises(CommandError, match="HTTPS"):
        call_command("create_demo_users", demo=True, hospital=hospital.slug)
    assert not get_user_model().objects.exists()


def test_a_password_that_somebody_changed_is_kept(hospital):
    call_command("create_demo_users", demo=True, hospital=hospital.slug, stdout=io.StringIO())
    user = get_user_model().objects.get(username="curator")
    user.set_password("van-mij-alleen")
    user.save()

    call_command("create_demo_users", demo=True, hospital=hospital.slug, stdout=io.StringIO())

    assert fresh(user).check_password("van-mij-alleen")
