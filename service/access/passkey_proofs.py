"""What authenticators and browsers say of a passkey, and whether it is true (WebAuthn §7).

The package ``webauthn`` checks signatures and reads what authenticators write. What a person can do
something about is told apart before: another site's passkey, and a challenge that is none of ours.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any, Final, TypeVar

from msgspec import Struct

from events import seal
from events.logger import get_logger
from service.access.passkey_site import PasskeySite
from service.http.problems import Refused

ALGORITHMS: Final = (-8, -7, -257)
"""How passkeys may sign, the best first: EdDSA, ES256 (RFC 9053), RS256 (RFC 8812)."""

_DOMAIN_HASH: Final = 32
_T = TypeVar("_T")
_log = get_logger(__name__)


class ClientData(Struct, frozen=True):
    """What a browser says of a request, and an authenticator signs along.

    ``raw`` is all of it as it was signed.
    """

    raw: bytes
    challenge: bytes
    origin: str
    is_framed: bool


class MadePasskey(Struct, frozen=True):
    """A new passkey: its id and its public key (COSE), and how often it has signed."""

    credential: bytes
    public_key: bytes
    counter: int


def passkey_id(credential: str) -> str:
    """The public id of a passkey: 64 bits of a hash of what authenticators know it by."""
    return f"k{hashlib.sha256(credential.encode()).hexdigest()[:16]}"


def read_client_data(text: str) -> ClientData:
    """Read what a browser has said, in base64url.

    Raises:
        Refused: passkey-invalid.
    """
    raw = _bytes(text)
    try:
        found: Any = json.loads(raw)
        data = ClientData(
            raw=raw,
            challenge=_bytes(_text(found["challenge"])),
            origin=_text(found["origin"]),
            is_framed=bool(found.get("crossOrigin", False)),
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise _invalid() from None
    return data


def require_page(data: ClientData, site: PasskeySite) -> None:
    """Require that a page of ours has asked, which was in no frame of somebody else's.

    Raises:
        Refused: passkey-other-site.
    """
    if data.is_framed or not site.accepts(data.origin):
        raise _other_site()


def check_made(data: ClientData, attestation: str, site: PasskeySite) -> MadePasskey:
    """A passkey that an authenticator has made.

    Raises:
        Refused: passkey-other-site; passkey-invalid, also if nobody had to show that they are the
            holder of the device.
    """
    import webauthn  # noqa: PLC0415 (a quarter of a second, which most processes never need)
    from webauthn.helpers import cose, parse_attestation_object, structs  # noqa: PLC0415 (as above)

    said = _bytes(attestation)
    read = _checked(lambda: parse_attestation_object(said))
    if read.auth_data.rp_id_hash != site.domain_hash:
        raise _other_site()
    credential = structs.RegistrationCredential(
        id="",  # what counts is the id that the authenticator says
        raw_id=b"",
        response=structs.AuthenticatorAttestationResponse(
            client_data_json=data.raw, attestation_object=said
        ),
    )
    made = _checked(
        lambda: webauthn.verify_registration_response(
            credential=credential,
            expected_challenge=data.challenge,
            expected_rp_id=site.domain,
            expected_origin=data.origin,
            require_user_verification=True,
            supported_pub_key_algs=[cose.COSEAlgorithmIdentifier(each) for each in ALGORITHMS],
        )
    )
    return MadePasskey(made.credential_id, made.credential_public_key, made.sign_count)


def check_used(
    data: ClientData, authenticator_data: str, signature: str, public_key: str, site: PasskeySite
) -> int:
    """How often a passkey has signed that has signed now.

    Whether that is more often than before is for the account to say.

    Raises:
        Refused: as ``check_made``; passkey-invalid, if another key has signed.
    """
    import webauthn  # noqa: PLC0415 (as in check_made)
    from webauthn.helpers import structs  # noqa: PLC0415 (as in check_made)

    said = _bytes(authenticator_data)
    if said[:_DOMAIN_HASH] != site.domain_hash:
        raise _other_site()
    credential = structs.AuthenticationCredential(
        id="",  # the key is known that must have signed
        raw_id=b"",
        response=structs.AuthenticatorAssertionResponse(
            client_data_json=data.raw, authenticator_data=said, signature=_bytes(signature)
        ),
    )
    used = _checked(
        lambda: webauthn.verify_authentication_response(
            credential=credential,
            expected_challenge=data.challenge,
            expected_rp_id=site.domain,
            expected_origin=data.origin,
            credential_public_key=_bytes(public_key),
            credential_current_sign_count=0,
            require_user_verification=True,
        )
    )
    return used.new_sign_count


def _checked(check: Callable[[], _T]) -> _T:
    """What a check of the package gives.

    Raises:
        Refused: passkey-invalid. The package lets through whatever its readers of CBOR, ASN.1 and
            keys raise; all of it means that a caller has sent something that is no passkey.
    """
    try:
        return check()
    except Exception as error:  # noqa: BLE001 (as above)
        _log.debug("passkey_invalid", kind=type(error).__name__)
        raise _invalid() from None


def _bytes(text: str) -> bytes:
    """Raises: Refused: passkey-invalid, if this is not the base64url of anything."""
    try:
        return seal.bytes_of(text)
    except ValueError:
        raise _invalid() from None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _invalid() -> Refused:
    return Refused("passkey-invalid", "this is no passkey, or what it has signed is not right")


def _other_site() -> Refused:
    return Refused("passkey-other-site", "this passkey is used on a page of another site")
