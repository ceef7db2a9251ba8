"""A user without an entry in the list of users, as containers have them."""

import sys

sys.modules["pwd"] = None  # type: ignore[assignment]
