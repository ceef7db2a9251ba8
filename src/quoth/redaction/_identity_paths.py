"""Home folders: only the user's name in them goes, the rest of a path stays.

Percent-encoded paths and those with `\\/` are read as they are meant: see `_visible`.
"""

from __future__ import annotations

import re

from ._rule import Rule, anchored

__all__ = ["HOME_PATHS"]

_BACKSLASHES = r"\\{1,8}"
"""Each time a path is quoted in a string of a program, they double."""

_SPACE = r"\\? "
_NAME = r"\w(?:[\w.@+-]{0,62}\w)?"
_SPACED_NAME = rf"{_NAME}(?:{_SPACE}[\w.-]{{1,32}}){{1,3}}"
_CAPITAL_NAME = rf"{_NAME}(?:{_SPACE}(?![a-z])[\w.-]{{1,32}}){{1,3}}"
"""In a sentence, a path and words behind it must not pass for one name."""

_DASHED_NAME = r"([A-Za-z0-9_]{1,32})(?=[-/\\\"'\s]|\Z)"
"""In the name of a project folder of Claude Code, a path with dashes in it."""

_NOBODY = frozenset(
    {
        *("shared", "public", "default", "default user", "all users", "guest"),
        *("all", "defaultappool", "defaultuser0"),
    }
)
"""Folders beside those of people."""


def _is_user(match: re.Match[str]) -> bool:
    """Whether the group names someone."""
    return re.sub(_SPACE, " ", match.group(1)).lower() not in _NOBODY


_ALONE = r"(?:(?<![A-Za-z0-9_-])|\\[nrt])"
_ROOT = r"(?:(?<![A-Za-z0-9_.~$}-])|\\[nrt])"
"""Where a path may begin: not within another, as that of a page on the web."""

_PARENTS = "var|usr|srv|export|data|nfs|mnt|root|rootfs|host|overlay|merged"
_MOUNTS = f"/(?:{_PARENTS})"
_VOLUMES = r"/(?:Data|Volumes/[^/\n]{1,20})"
_DRIVE = r"(?:(?<![A-Za-z0-9])|\\[nrt])[A-Za-z]:"
_SERVER = rf"\\\\[\w.$?-]{{1,24}}(?:{_BACKSLASHES}[A-Za-z]\$)?"
_WSL = rf"(?i:wsl(?:\$|\.localhost)?{_BACKSLASHES}[\w.-]{{1,16}})"
_WSL_SLASHES = r"//(?i:wsl)(?:\$|\.localhost)/[\w.-]{1,16}"
_OPTION = r"(?<![A-Za-z0-9_.-])-[A-Za-z]"
"""As in `-I/home/...`, which a compiler is told."""

_OPENED = r"(?:file|vscode(?:-[a-z]{1,12})?|cursor|zed|sftp|smb|nfs)://[\w.@:+-]{0,24}"
"""Addresses of files. At other addresses, `/home/` and `/Users/` are pages."""

HOME_PATHS = (
    Rule(
        name="windows_home_path",
        keys=("\\users\\", "\\documents and settings\\"),
        any_case=True,
        edge=False,
        find=anchored(
            rf"{_BACKSLASHES}(?i:users|documents and settings){_BACKSLASHES}"
            rf"({_SPACED_NAME}(?=[\\/])|{_NAME})",
            _is_user,
            behind=rf"(?:{_DRIVE}|%(?:SystemDrive|HOMEDRIVE)%|{_SERVER})\\{{0,7}}",
        ),
    ),
    Rule(
        name="windows_home_path",
        keys=("/users/",),
        any_case=True,
        edge=False,
        find=anchored(
            rf"/(?i:users)/({_SPACED_NAME}(?=[\\/])|{_NAME})",
            _is_user,
            behind=rf"(?:{_DRIVE}|/(?:mnt|cygdrive)/[a-z]|{_ROOT}/[a-zA-Z])",
        ),
    ),
    Rule(
        name="windows_home_path",
        keys=("--users-",),
        any_case=True,
        edge=False,
        find=anchored(
            rf"(?i:--users-){_DASHED_NAME}", _is_user, behind=rf"{_ALONE}[A-Za-z]"
        ),
    ),
    Rule(
        name="windows_home_path",
        keys=("-users-",),
        any_case=True,
        edge=False,
        find=anchored(
            rf"(?i:-users-){_DASHED_NAME}", _is_user, behind=rf"{_ALONE}-mnt-[a-z]"
        ),
    ),
    Rule(
        name="macos_home_path",
        keys=("/Users/",),
        edge=False,
        find=anchored(
            rf"/Users/({_CAPITAL_NAME}(?=/)|{_NAME})",
            _is_user,
            behind=rf"(?:{_ROOT}|{_VOLUMES}|{_OPTION}|{_OPENED})",
        ),
    ),
    Rule(
        name="macos_home_path",
        keys=("-Users-",),
        find=anchored(rf"-Users-{_DASHED_NAME}", _is_user, behind=_ALONE),
    ),
    Rule(
        name="linux_home_path",
        keys=("/home/",),
        edge=False,
        find=anchored(
            rf"/home/(?:(?:users|people|staff)/)?({_NAME})",
            _is_user,
            behind=rf"(?:{_ROOT}|{_MOUNTS}|{_WSL_SLASHES}|{_OPTION}|{_OPENED})",
        ),
    ),
    Rule(
        name="linux_home_path",
        keys=("\\home\\",),
        edge=False,
        find=anchored(
            rf"{_BACKSLASHES}home{_BACKSLASHES}({_NAME})",
            _is_user,
            behind=rf"(?:{_WSL}|{_SERVER})\\{{0,7}}",
        ),
    ),
    Rule(
        name="linux_home_path",
        keys=("-home-",),
        edge=False,
        find=anchored(
            rf"-home-{_DASHED_NAME}",
            _is_user,
            behind=rf"{_ALONE}(?:-(?:{_PARENTS}))?",
        ),
    ),
    Rule(
        name="linux_home_path",
        keys=("~",),
        edge=False,
        find=anchored(  # Not `'~components/Button'`: that is a folder of a web page.
            r"~([a-z_][a-z0-9_.-]{1,31})/",
            _is_user,
            behind=r"(?:(?<![^\s=:`/(,;|>\u0080-\uffff])|[:=,\[] ?\\{0,3}\")",
        ),
    ),
)
