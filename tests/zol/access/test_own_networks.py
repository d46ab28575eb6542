"""IT maintains the networks in which many visitors share an address."""

import pytest
from django.urls import reverse

from tests.zol.staff import signed_in
from zol.models import OwnNetwork, Role

ADD = reverse("admin:zol_ownnetwork_add")


@pytest.mark.parametrize(
    ("written", "is_network"),
    [
        ("203.0.113.7", True), ("203.0.113.0/28", True), ("2001:db8:1::/48", True),
        ("wifi", False), ("10.0.0.0/99", False), ("0.0.0.0/0", False), ("2001:db8:1:2::7", False),
    ],
)  # fmt: skip
def test_a_network_is_kept_and_what_is_none_is_refused_with_a_sentence(
    hospital, written, is_network
):
    page = signed_in(hospital, Role.IT).post(ADD, {"network": written, "place": "Wachtzalen"})

    assert [row.network for row in OwnNetwork.objects.all()] == [written] * is_network
    assert is_network or "is not a network" in page.text
