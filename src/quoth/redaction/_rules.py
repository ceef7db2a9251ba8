"""The secret rules: where two claim the same text, the earlier gives the name."""

from __future__ import annotations

from ._carriers import BEARER, CREDENTIAL_URL
from ._entropy import DRAWN
from ._keys import ISSUED_KEYS, JWT
from ._named import SENSITIVE_NAMES
from ._pem import PEM
from ._rule import Rule
from ._vendors import VENDOR_KEYS

__all__ = ["SECRET_RULES"]

SECRET_RULES: tuple[Rule, ...] = (
    *PEM,
    *ISSUED_KEYS,
    *JWT,
    *VENDOR_KEYS,
    *CREDENTIAL_URL,
    *BEARER,
    *SENSITIVE_NAMES,
    *DRAWN,
)
"""What is never stored."""
