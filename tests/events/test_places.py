"""Where stores are, as their URLs name them."""

from __future__ import annotations

import pytest

from events.clients import each_node, of_one_node
from events.places import address_of, read_places
from events.reach import require_url, shown

CLUSTER = "rediss+cluster://ada:planted@h1:7000,[::1]:7001,h3?ssl_ca_certs=/ca.pem"


def test_places_are_read_and_said() -> None:
    places = read_places("h1:1,h2,[::1]:3", 26379)
    assert places == (("h1", 1), ("h2", 26379), ("::1", 3))
    assert ",".join(map(address_of, places)) == "h1:1,h2:26379,[::1]:3"


@pytest.mark.parametrize(
    "text", ["", "h1,", ",h1", "h1:0", "h1:65536", "h1:x", "h1:1:2", "[::1", "a@h"]
)
def test_what_is_no_place_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no host"):
        read_places(text, 6379)


def test_a_cluster_is_named_by_some_of_its_nodes() -> None:
    require_url(CLUSTER)
    options = "?ssl_ca_certs=/ca.pem"
    assert each_node(CLUSTER) == {
        "h1:7000": f"rediss://ada:planted@h1:7000{options}",
        "[::1]:7001": f"rediss://ada:planted@[::1]:7001{options}",
        "h3:6379": f"rediss://ada:planted@h3:6379{options}",
    }
    assert of_one_node(CLUSTER) == f"rediss://ada:planted@h1:7000{options}"
    assert shown(CLUSTER) == "rediss+cluster://h1:7000,[::1]:7001,h3"


@pytest.mark.parametrize("places", ["", "h1:7000,", "h1:0,h2", "h1;h2:1:2", "h1,planted:x"])
def test_nodes_in_another_form_are_refused_without_being_quoted(places: str) -> None:
    with pytest.raises(ValueError, match="must name nodes of the cluster by host") as refused:
        require_url(f"redis+cluster://{places}")
    assert "planted" not in str(refused.value)
