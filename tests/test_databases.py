"""A test finds the small hospital as it was made, or no hospital at all, whatever others did."""

import pytest

from chat.channels import sessions
from chat.models import Conversation
from taxonomy.vocabulary import Kind
from tests import factories
from tests.databases import databases
from zol.models import Hospital


@pytest.mark.django_db
def test_who_does_not_ask_for_the_small_hospital_finds_none():
    assert not Hospital.objects.exists()


def test_what_was_left_is_gone_in_a_new_copy_and_no_number_is_given_twice(mini):
    sessions.start(mini, "nl").save()
    left = factories.entity(mini, Kind.DEPARTMENT, "Geriatrie")

    databases.renew()

    assert not Conversation.objects.exists()
    assert Hospital.objects.get() == mini
    assert factories.entity(mini, Kind.DEPARTMENT, "Geriatrie").pk > left.pk
    databases.spoil()


@pytest.mark.django_db
def test_who_wants_it_untouched_finds_no_row_of_another(untouched):
    assert not Conversation.objects.exists()
    assert Hospital.objects.get().slug == "azm-mini"
