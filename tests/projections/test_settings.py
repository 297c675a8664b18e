"""Settings: read once, strictly, without showing secrets."""

from __future__ import annotations

import re
from ipaddress import ip_network
from pathlib import Path

import pytest

from projections.settings import Secret, Settings, SettingsError, environment, load_settings

KEY = "ab" * 32
NEEDED = {"ROOM25_STORE_URL": "redis://localhost:1", "ROOM25_KEYS": f"k1:{KEY}"}


def test_two_settings_are_enough() -> None:
    settings = load_settings({**NEEDED, "PATH": "/bin"})
    assert settings.rq_url == settings.store_url == "redis://localhost:1"
    assert settings.current_key == settings.naming_key == "k1"
    assert settings.keys == {"k1": Secret(bytes.fromhex(KEY))}


def test_every_setting_survives_the_way_through_the_environment() -> None:
    settings = Settings(
        store_url="unix:///tmp/a b",
        rq_url="redis://localhost:2",
        keys={"a": Secret(b"1" * 32), "b": Secret(b"2" * 32)},
        current_key="b",
        naming_key="a",
        signing_key=Secret(b"3" * 32),
        shards=64,
        prefix="x",
        origin="example",
        admin_token_hash=Secret(b"t" * 32),
        host="::1",
        port=0,
        var=Path("somewhere"),
        allow_lossy_store=True,
        reads_per_minute=1,
        commands_per_minute=2,
        registrations_per_minute=3,
        body_limit=1024,
        wait_limit_s=0,
        stream_limit_s=60,
        streams_per_caller=4,
        streams_per_address=5,
        trusted_proxies=(ip_network("10.0.0.0/8"), ip_network("2001:db8::1")),
        public_url="https://games.example:8443",
        reload_pages=True,
        log_level="debug",
    )
    assert load_settings(environment(settings)) == settings


def test_no_proxy_is_trusted_unless_it_is_named() -> None:
    assert load_settings(NEEDED).trusted_proxies == ()
    named = load_settings({**NEEDED, "ROOM25_TRUSTED_PROXIES": "10.0.0.1, fd00::/8"})
    assert named.trusted_proxies == (ip_network("10.0.0.1"), ip_network("fd00::/8"))


def test_a_secret_is_never_shown() -> None:
    settings = load_settings({**NEEDED, "ROOM25_SIGNING_KEY": KEY})
    assert KEY not in repr(settings)
    assert repr(bytes.fromhex(KEY)) not in repr(settings)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ROOM25_STORE_ULR": "x"}, "unknown setting ROOM25_STORE_ULR"),
        ({"ROOM25_port": "1"}, "unknown setting ROOM25_port"),
        ({"ROOM25_PORT": "65536"}, "ROOM25_PORT: must be 0 to 65535"),
        ({"ROOM25_PORT": "x"}, "ROOM25_PORT: invalid literal"),
        ({"ROOM25_ALLOW_LOSSY_STORE": "yes"}, "ROOM25_ALLOW_LOSSY_STORE: must be 0 or 1"),
        ({"ROOM25_LOG_LEVEL": "loud"}, "ROOM25_LOG_LEVEL: must be one of"),
        ({"ROOM25_KEYS": KEY}, "ROOM25_KEYS: must be id:hex pairs"),
        ({"ROOM25_KEYS": f"a:{KEY[:-2]}"}, "ROOM25_KEYS: must be 32 bytes in hexadecimal"),
        ({"ROOM25_KEYS": f"a:{KEY},a:{KEY}"}, "ROOM25_KEYS: must be id:hex pairs"),
        ({"ROOM25_CURRENT_KEY": "k2"}, "ROOM25_CURRENT_KEY names no key"),
        ({"ROOM25_NAMING_KEY": "k2"}, "ROOM25_NAMING_KEY names no key"),
        ({"ROOM25_STORE_URL": "redis+cluster://x:1"}, "ROOM25_RQ_URL must name a store of its own"),
        ({"ROOM25_TRUSTED_PROXIES": "10.0.0.1/8"}, "ROOM25_TRUSTED_PROXIES: 10.0.0.1/8 has host"),
        ({"ROOM25_TRUSTED_PROXIES": "proxy.example"}, "ROOM25_TRUSTED_PROXIES: 'proxy.example'"),
        ({"ROOM25_TRUSTED_PROXIES": "10.0.0.1,"}, "ROOM25_TRUSTED_PROXIES: ''"),
        ({"ROOM25_PUBLIC_URL": "games.example"}, "ROOM25_PUBLIC_URL: must be like https://"),
        ({"ROOM25_PUBLIC_URL": "https://games.example/x"}, "without a path"),
        ({"ROOM25_SIGNING_KEY": "zz" * 32}, "ROOM25_SIGNING_KEY: must be 32 bytes"),
    ],
)
def test_a_bad_setting_stops_the_program(change: dict[str, str], message: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(message)) as caught:
        load_settings({**NEEDED, **change})
    assert KEY[:20] not in str(caught.value)


@pytest.mark.parametrize("missing", sorted(NEEDED))
def test_a_missing_setting_stops_the_program(missing: str) -> None:
    rest = {name: value for name, value in NEEDED.items() if name != missing}
    with pytest.raises(SettingsError, match=f"{missing} is missing"):
        load_settings(rest)
