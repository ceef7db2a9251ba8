"""A client of one server on this machine."""

from __future__ import annotations

from pathlib import Path

from ._answer import Answer
from ._request import request_of
from ._url import LoopbackUrl

__all__ = ["LoopbackClient"]


class LoopbackClient:
    """Asks one server on this machine; each request has a connection of its own.

    Any number of threads may use it at once.
    """

    def __init__(
        self,
        url: LoopbackUrl,
        *,
        timeout_s: float,
        most_bytes: int,
        ca_file: Path | None = None,
    ) -> None:
        """Look up where the server is, for as long as the client lives.

        Args:
            url: The endpoint, which the paths of all requests are below.
            timeout_s: For a whole request, from connecting to the last byte, unless
                that request says otherwise.
            most_bytes: In the body of an answer.
            ca_file: Whose certificates an https server may have; without it, nobody's.

        Raises:
            EndpointError: The host is not, or not only, this machine, or *ca_file*
                can't be used.
        """
        # Imported here: parsing an endpoint must load nothing that can connect.
        from ._addresses import Addresses
        from ._tls import context_of

        self.url = url
        self._timeout_s = timeout_s
        self._most_bytes = most_bytes
        self._addresses = Addresses.of(url)
        self._context = context_of(url, ca_file)

    def get(self, path: str, *, timeout_s: float | None = None) -> Answer:
        """Return the answer to a GET of *path* below the endpoint.

        Raises:
            ServerError: There is none: nothing listens, it took too long, or what came
                is none, such as a redirect.
            ValueError: *path* is not `/segment/...` of letters, digits and `._~-`.
        """
        return self._ask(path, None, timeout_s)

    def post(self, path: str, body: bytes, *, timeout_s: float | None = None) -> Answer:
        """Return the answer to a POST of JSON to *path* below the endpoint.

        Raises:
            ServerError: As for `get`.
            ValueError: As for `get`.
        """
        return self._ask(path, body, timeout_s)

    def _ask(self, path: str, body: bytes | None, timeout_s: float | None) -> Answer:
        from ._exchange import exchange

        return exchange(
            self.url,
            request_of(self.url, path, body),
            addresses=self._addresses,
            context=self._context,
            timeout_s=self._timeout_s if timeout_s is None else timeout_s,
            most_bytes=self._most_bytes,
        )
