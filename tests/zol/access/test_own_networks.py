"""IT lists the networks whose addresses many visitors share."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.zol.staff import signed_in
from zol.models import OwnNetwork, Role

ADD = reverse("admin:zol_ownnetwork_add")


@pytest.mark.parametrize("written", ["203.0.113.7", "203.0.113.0/28", "2001:db8:1::/48"])
def test_a_network_is_kept(hospital, written):
    signed_in(hospital, Role.IT).post(ADD, {"network": written, "place": "Wachtzalen"})

    assert OwnNetwork.objects.get().network == written


@pytest.mark.parametrize("written", ["wifi", "10.0.0.0/99", "0.0.0.0/0", "2001:db8:1:2::7"])
def test_what_is_no_network_is_refused_with_a_sentence(hospital, written):
    page = signed_in(hospital, Role.IT).post(ADD, {"network": written})

    assert "is no network" in page.text
    assert not OwnNetwork.objects.exists()
