"""All rules in one table: where two claim the same text, the earlier gives the name."""

from __future__ import annotations

from ._carriers import BEARER, CREDENTIAL_URL
from ._keys import ISSUED_KEYS, JWT, VENDOR_KEYS
from ._pem import PEM

__all__ = ["RULES"]

RULES = (*PEM, *ISSUED_KEYS, *VENDOR_KEYS, *JWT, *CREDENTIAL_URL, *BEARER)
