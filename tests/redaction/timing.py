"""How long redaction takes: what a budget cannot tell, since rules state their work."""

from __future__ import annotations

from time import process_time

from quoth.redaction import Redactor

__all__ = ["seconds_for"]


def seconds_for(redactor: Redactor, text: str) -> float:
    """Return the time of this process that redacting a text takes."""
    began = process_time()
    redactor.redact(text)
    return process_time() - began
