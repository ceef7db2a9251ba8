"""The file of settings, read without trusting it: bounded, no link, nobody else's."""

from __future__ import annotations

import errno
import os
import re
import stat
from pathlib import Path

from quoth.errors import SettingError

__all__ = ["CONFIG_FILE", "MOST_BYTES", "parsed", "text_of", "why"]

CONFIG_FILE = "config.toml"
MOST_BYTES = 64_000


def text_of(path: Path) -> str:
    """Return what stands in the file: nothing, where there is none.

    Raises:
        SettingError: It can't be read, or is no file of the person's own.
    """
    try:
        return _content(path).decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        # The system's own words for it are about loops.
        reason = "it is a link" if error.errno == errno.ELOOP else why(error)
        raise SettingError(f"{path} cannot be read: {reason}.") from error
    except UnicodeDecodeError as error:
        raise SettingError(f"{path} cannot be read: it is not UTF-8.") from error


def parsed(text: str, path: Path) -> dict[str, object]:
    """Return the table that *text* is, which was read from *path*.

    Raises:
        SettingError: It is no TOML.
    """
    if not text:
        return {}
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError, MemoryError) as error:
        found = _POSITION.search(str(error))
        place = f" {found[0]}" if found else ""
        raise SettingError(
            f"{path} is not valid TOML{place}.",
            hint="Correct it there, or move the file away to do without it.",
        ) from error


def why(error: OSError) -> str:
    """Return what the system says, as the end of a sentence."""
    return (error.strerror or type(error).__name__).lower()


def _content(path: Path) -> bytes:
    # Not blocking: opening a pipe would wait for its other end.
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    descriptor = os.open(path, flags)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise SettingError(f"{path} cannot be read: it is no regular file.")
        if status.st_uid != os.getuid():
            raise SettingError(f"{path} cannot be read: it is another user's.")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            content = file.read(MOST_BYTES + 1)
    finally:
        os.close(descriptor)
    if len(content) > MOST_BYTES:
        raise SettingError(f"{path} cannot be read: it is larger than 64 kB.")
    return content


_POSITION = re.compile(r"\(at (line \d+, column \d+|end of document)\)")
