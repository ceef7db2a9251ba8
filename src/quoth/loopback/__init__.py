"""Asking a server on this machine: the only code of quoth that opens a connection.

An endpoint exists only as a parsed `LoopbackUrl`, a client only with addresses that
were looked up once and are all of this machine, and a request has no header, proxy,
redirect or credential that a caller or the environment could set.

Importing this, and parsing an endpoint, imports nothing that can connect: making a
client does.
"""

from __future__ import annotations

from ._answer import Answer, Asker
from ._client import LoopbackClient
from ._url import LoopbackUrl

__all__ = ["Answer", "Asker", "LoopbackClient", "LoopbackUrl"]
