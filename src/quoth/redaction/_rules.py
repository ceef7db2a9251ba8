"""All rules: where two claim the same text, the earlier gives the name."""

from __future__ import annotations

from ._carriers import BEARER, CREDENTIAL_URL
from ._keys import ISSUED_KEYS, JWT, VENDOR_KEYS
from ._pem import PEM
from ._rule import Rule

__all__ = ["IDENTITY_RULES", "SECRET_RULES"]

SECRET_RULES: tuple[Rule, ...] = (
    *PEM,
    *ISSUED_KEYS,
    *VENDOR_KEYS,
    *JWT,
    *CREDENTIAL_URL,
    *BEARER,
)
"""What is never stored."""

IDENTITY_RULES: tuple[Rule, ...] = ()
"""What is stored, since a person finds things by it, and does not leave quoth."""
