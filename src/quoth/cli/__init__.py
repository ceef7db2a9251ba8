"""The command line: parse, call the archive, print. It decides nothing."""

from ._app import main

__all__ = ["main"]
