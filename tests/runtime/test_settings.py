"""Settings: read once, strictly, without showing secrets."""

from __future__ import annotations

import re
from ipaddress import ip_network
from pathlib import Path

import pytest

from runtime.settings import Secret, Settings, SettingsError, environment, load_settings

KEY = "ab" * 32
NEEDED = {"PARLOUR_STORE_URL": "redis://localhost:1", "PARLOUR_KEYS": f"k1:{KEY}"}
PASSKEYS = {
    "PARLOUR_PASSKEY_DOMAIN": "play.a.example",
    "PARLOUR_PASSKEY_ORIGINS": "https://play.a.example",
}


def test_two_settings_are_enough() -> None:
    settings = load_settings({**NEEDED, "PATH": "/bin"})
    assert settings.rq_url == settings.store_url == "redis://localhost:1"
    assert settings.current_key == settings.naming_key == "k1"
    assert settings.keys == {"k1": Secret(bytes.fromhex(KEY))}
    assert (settings.shards, settings.shard_tags) == (64, "spread")


def test_a_cluster_is_asked_for_replicas_unless_told_otherwise() -> None:
    cluster = {"PARLOUR_STORE_URL": "redis+cluster://localhost:1", "PARLOUR_RQ_URL": "redis://b"}
    given = {"PARLOUR_STORE_URL": "redis://localhost:1", "PARLOUR_KEYS": f"k1:{KEY}"}
    assert load_settings(given).durability == "local"
    assert load_settings(given | cluster).durability == "replicated"
    chosen = given | cluster | {"PARLOUR_DURABILITY": "local"}
    assert load_settings(chosen).durability == "local"
    with pytest.raises(SettingsError, match="DURABILITY: must be one of local, replicated"):
        load_settings(given | {"PARLOUR_DURABILITY": "witnessed"})


def test_every_setting_survives_the_way_through_the_environment() -> None:
    settings = Settings(
        store_url="unix:///tmp/a b",
        rq_url="redis://localhost:2",
        keys={"a": Secret(b"1" * 32), "b": Secret(b"2" * 32)},
        current_key="b",
        naming_key="a",
        signing_key=Secret(b"3" * 32),
        shards=16,
        shard_tags="spread",
        prefix="x",
        head_origin="example",
        admin_token_hash=Secret(b"t" * 32),
        host="::1",
        port=0,
        var=Path("somewhere"),
        marks="elsewhere",
        store_memory=10**9,
        allow_lossy_store=True,
        durability="replicated",
        reads_per_minute=1,
        commands_per_minute=2,
        registrations_per_minute=3,
        body_limit=1024,
        wait_limit_s=0,
        stream_limit_s=60,
        streams_per_caller=4,
        streams_per_address=5,
        store_levels=(60, 70, 80, 100),
        trusted_proxies=(ip_network("10.0.0.0/8"), ip_network("2001:db8::1")),
        public_url="https://games.example:8443",
        passkey_domain="games.example",
        passkey_origins=("https://games.example:8443", "https://play.games.example"),
        reload_pages=True,
        log_level="debug",
    )
    assert load_settings(environment(settings)) == settings


def test_no_proxy_is_trusted_unless_it_is_named() -> None:
    assert load_settings(NEEDED).trusted_proxies == ()
    named = load_settings({**NEEDED, "PARLOUR_TRUSTED_PROXIES": "10.0.0.1, fd00::/8"})
    assert named.trusted_proxies == (ip_network("10.0.0.1"), ip_network("fd00::/8"))


def test_passkeys_are_for_a_domain_and_pages_of_it() -> None:
    for domain in ("play.a.example", "a.example", "example"):
        named = load_settings({**NEEDED, **PASSKEYS, "PARLOUR_PASSKEY_DOMAIN": domain})
        assert (named.passkey_domain, named.passkey_origins) == (
            domain,
            ("https://play.a.example",),
        )


def test_a_secret_is_never_shown() -> None:
    settings = load_settings({**NEEDED, "PARLOUR_SIGNING_KEY": KEY})
    assert KEY not in repr(settings)
    assert repr(bytes.fromhex(KEY)) not in repr(settings)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"PARLOUR_STORE_ULR": "x"}, "unknown setting PARLOUR_STORE_ULR"),
        ({"PARLOUR_port": "1"}, "unknown setting PARLOUR_port"),
        ({"PARLOUR_PORT": "65536"}, "PARLOUR_PORT: must be 0 to 65535"),
        ({"PARLOUR_PORT": "x"}, "PARLOUR_PORT: invalid literal"),
        ({"PARLOUR_ALLOW_LOSSY_STORE": "yes"}, "PARLOUR_ALLOW_LOSSY_STORE: must be 0 or 1"),
        ({"PARLOUR_LOG_LEVEL": "loud"}, "PARLOUR_LOG_LEVEL: must be one of"),
        ({"PARLOUR_KEYS": KEY}, "PARLOUR_KEYS: must be id:hex pairs"),
        ({"PARLOUR_KEYS": f"a:{KEY[:-2]}"}, "PARLOUR_KEYS: must be 32 bytes in hexadecimal"),
        ({"PARLOUR_KEYS": f"a:{KEY},a:{KEY}"}, "PARLOUR_KEYS: must be id:hex pairs"),
        ({"PARLOUR_CURRENT_KEY": "k2"}, "PARLOUR_CURRENT_KEY names no key"),
        ({"PARLOUR_NAMING_KEY": "k2"}, "PARLOUR_NAMING_KEY names no key"),
        (
            {"PARLOUR_STORE_URL": "redis+cluster://x:1"},
            "PARLOUR_RQ_URL must name one store of its own",
        ),
        ({"PARLOUR_TRUSTED_PROXIES": "10.0.0.1/8"}, "PARLOUR_TRUSTED_PROXIES: 10.0.0.1/8 has host"),
        ({"PARLOUR_TRUSTED_PROXIES": "proxy.example"}, "PARLOUR_TRUSTED_PROXIES: 'proxy.example'"),
        ({"PARLOUR_TRUSTED_PROXIES": "10.0.0.1,"}, "PARLOUR_TRUSTED_PROXIES: ''"),
        ({"PARLOUR_PUBLIC_URL": "games.example"}, "PARLOUR_PUBLIC_URL: must be like https://"),
        ({"PARLOUR_PUBLIC_URL": "https://games.example/x"}, "without a path"),
        ({"PARLOUR_STORE_LEVELS": "70,80,90"}, "PARLOUR_STORE_LEVELS: must be four rising"),
        ({"PARLOUR_STORE_LEVELS": "70,80,80,97"}, "PARLOUR_STORE_LEVELS: must be four rising"),
        ({"PARLOUR_STORE_LEVELS": "70,80,90,101"}, "PARLOUR_STORE_LEVELS: must be four rising"),
        ({"PARLOUR_STORE_LEVELS": "0,80,90,97"}, "PARLOUR_STORE_LEVELS: must be four rising"),
        ({"PARLOUR_STORE_URL": "localhost:6379"}, "PARLOUR_STORE_URL: must begin with redis://"),
        ({"PARLOUR_STORE_URL": "http://:planted@x"}, "PARLOUR_STORE_URL: must begin with redis://"),
        ({"PARLOUR_STORE_URL": "redis://"}, "PARLOUR_STORE_URL: must name a host"),
        ({"PARLOUR_STORE_URL": "redis://x:y"}, "PARLOUR_STORE_URL: must name a host"),
        ({"PARLOUR_STORE_URL": "redis://x:70000"}, "PARLOUR_STORE_URL: must name a host"),
        ({"PARLOUR_STORE_URL": "redis://x?db=one"}, "PARLOUR_STORE_URL: has options"),
        ({"PARLOUR_STORE_URL": "unix://socket"}, "PARLOUR_STORE_URL: must name a socket"),
        ({"PARLOUR_RQ_URL": "queue"}, "PARLOUR_RQ_URL: must begin with redis://"),
        ({"PARLOUR_KEYS": f"a b:{KEY}"}, "PARLOUR_KEYS: an id has 1 to 16 letters"),
        ({"PARLOUR_KEYS": f"{'a' * 17}:{KEY}"}, "PARLOUR_KEYS: an id has 1 to 16 letters"),
        ({"PARLOUR_PREFIX": "{x}"}, "PARLOUR_PREFIX: must be at most 64 letters"),
        ({"PARLOUR_PREFIX": "x\n"}, "PARLOUR_PREFIX: must be at most 64 letters"),
        ({"PARLOUR_HEAD_ORIGIN": ""}, "PARLOUR_HEAD_ORIGIN: an origin must be printable"),
        ({"PARLOUR_HEAD_ORIGIN": "a club"}, "PARLOUR_HEAD_ORIGIN: an origin must be printable"),
        ({"PARLOUR_HEAD_ORIGIN": "a+b"}, "PARLOUR_HEAD_ORIGIN: an origin must be printable"),
        ({"PARLOUR_HOST": ""}, "PARLOUR_HOST: must be a name or an address"),
        ({"PARLOUR_HOST": "http://x"}, "PARLOUR_HOST: must be a name or an address"),
        ({"PARLOUR_VAR": ""}, "PARLOUR_VAR: must be a folder"),
        ({"PARLOUR_SIGNING_KEY": "zz" * 32}, "PARLOUR_SIGNING_KEY: must be 32 bytes"),
        ({"PARLOUR_PASSKEY_DOMAIN": "192.0.2.1"}, "PARLOUR_PASSKEY_DOMAIN: must be a name like"),
        ({"PARLOUR_PASSKEY_DOMAIN": "Games.example"}, "PARLOUR_PASSKEY_DOMAIN: must be a name"),
        ({"PARLOUR_PASSKEY_DOMAIN": "a.example"}, "PARLOUR_PASSKEY_ORIGINS are set together"),
        (PASSKEYS | {"PARLOUR_PASSKEY_DOMAIN": ""}, "are set together, or neither is"),
        (PASSKEYS | {"PARLOUR_PASSKEY_DOMAIN": "b.example"}, "is not of the domain b.example"),
        (PASSKEYS | {"PARLOUR_PASSKEY_DOMAIN": "laya.example"}, "is not of the domain laya"),
    ],
)
def test_a_bad_setting_stops_the_program(change: dict[str, str], message: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(message)) as caught:
        load_settings({**NEEDED, **change})
    assert KEY[:20] not in str(caught.value)
    assert "planted" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("missing", sorted(NEEDED))
def test_a_missing_setting_stops_the_program(missing: str) -> None:
    rest = {name: value for name, value in NEEDED.items() if name != missing}
    with pytest.raises(SettingsError, match=f"{missing} is missing"):
        load_settings(rest)
