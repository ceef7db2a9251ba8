"""What keeps quoth's own processes from reaching other machines, beside not trying to.

Entry points seal their process, for good: it can't be undone. `import quoth` doesn't,
and a host program keeps its network. `processes` has what asks a server all the same.
"""

from __future__ import annotations

from ._sealing import Seal, active, holds_to_port, seal

__all__ = ["Seal", "active", "holds_to_port", "seal"]
