"""The settings, read in one place and handed down as arguments."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from quoth.errors import SettingError

__all__ = ["CONFIG_FILE", "Settings", "load_settings"]

CONFIG_FILE = "config.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a person can choose. `home` is an absolute folder, which may not exist."""

    home: Path
    sync_before_search: bool = True


def load_settings(environ: Mapping[str, str], *, home_dir: Path) -> Settings:
    """Return the settings of the environment and of the file in quoth's folder.

    Args:
        home_dir: the person's own folder, which `~` in `QUOTH_HOME` stands for.

    Raises:
        SettingError: a setting is unknown or bad, or the file can't be read.
    """
    home = _home(environ.get("QUOTH_HOME", ""), home_dir=home_dir)
    switches = _switches(home / CONFIG_FILE)
    return Settings(
        home=home, sync_before_search=switches.get("sync_before_search", True)
    )


def _home(given: str, *, home_dir: Path) -> Path:
    if not given:
        # Imported here: whoever names a folder doesn't pay for finding the default one.
        from platformdirs import user_data_path

        return user_data_path("quoth").absolute()
    if given == "~" or given.startswith("~/"):
        return home_dir / given[2:]
    return Path(given).absolute()


def _switches(path: Path) -> dict[str, bool]:
    values = _table(path)
    for key, value in values.items():
        if key not in _SWITCHES:
            shown = key if _NAME.fullmatch(key) else "one with an unusual name"
            raise SettingError(
                f"{path} has an unknown setting: {shown}.",
                hint=f"Settings: {', '.join(_SWITCHES)}.",
            )
        if not isinstance(value, bool):
            raise SettingError(f"{key} in {path} must be true or false.")
    return {key: value is True for key, value in values.items()}


def _table(path: Path) -> dict[str, object]:
    try:
        text = _content(path).decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        why = (error.strerror or type(error).__name__).lower()
        raise SettingError(f"{path} cannot be read: {why}.") from error
    except UnicodeDecodeError as error:
        raise SettingError(f"{path} cannot be read: it is not UTF-8.") from error
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError, MemoryError) as error:
        found = _POSITION.search(str(error))
        where = f" {found[0]}" if found else ""
        raise SettingError(f"{path} is not valid TOML{where}.") from error


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
            content = file.read(_MOST_BYTES + 1)
    finally:
        os.close(descriptor)
    if len(content) > _MOST_BYTES:
        raise SettingError(f"{path} cannot be read: it is larger than 64 kB.")
    return content


_MOST_BYTES = 64_000
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_POSITION = re.compile(r"\(at (line \d+, column \d+|end of document)\)")
_SWITCHES = ("sync_before_search",)
