"""Whose certificate is believed: that of the one file a person named, or nobody's."""

from __future__ import annotations

from pathlib import Path
from ssl import PROTOCOL_TLS_CLIENT, SSLContext

from quoth.errors import EndpointError

from ._url import LoopbackUrl

__all__ = ["context_of"]


def context_of(url: LoopbackUrl, ca_file: Path | None) -> SSLContext | None:
    """Return what an https endpoint's certificate is held against; None for http.

    Raises:
        EndpointError: The file can't be read or holds no certificate, or is not needed.
    """
    if url.scheme == "http":
        if ca_file is not None:
            raise EndpointError("a file of certificates is for https")
        return None
    context = bare_context()
    if ca_file is not None:
        try:
            context.load_verify_locations(cafile=ca_file)
        except OSError as error:
            raise EndpointError("its file of certificates can't be read") from error
    return context


def bare_context() -> SSLContext:
    """Return a context that believes nobody yet.

    Not `create_default_context`: that believes what SSL_CERT_FILE and SSL_CERT_DIR
    name, and writes the keys of every connection to SSLKEYLOGFILE.
    """
    return SSLContext(PROTOCOL_TLS_CLIENT)
