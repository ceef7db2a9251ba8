"""Zips, folders and files of exports: found, opened, and never trusted."""

from __future__ import annotations

import hashlib
import os
import stat
import struct
import warnings
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tests.sources.chatgpt_records import a_zip

from quoth.errors import UnreadableUnitError
from quoth.model import (
    Append,
    Conversation,
    Message,
    Origin,
    Replace,
    Role,
    Skipped,
    Unit,
)
from quoth.sources import _zip_members
from quoth.sources._export_reading import Told, holds_key, read_export, told_at
from quoth.sources._exports import export_units, open_export, open_export_at
from quoth.sources._json_items import Item

LIST = b'[{"mapping": {}}]'


def put(path: Path, content: bytes = LIST) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def parts(path: Path) -> list[str]:
    return [unit.part for unit in export_units([path])]


def content(unit: Unit) -> bytes:
    with closing(open_export(unit)) as stream:
        return b"".join(iter(lambda: stream.read(100_000), b""))


def why(path: Path) -> list[str]:
    """Return why each unit of a zip can't be read."""
    reasons = []
    for unit in export_units([path]):
        with pytest.raises(UnreadableUnitError) as caught:
            content(unit)
        reasons.append(caught.value.why)
    return reasons


# What is found


def test_every_file_of_conversations_in_a_folder_is_a_unit(tmp_path: Path) -> None:
    for name in (
        "conversations.json",
        "conversations-001.json",
        "conversations (1).JSON",
        "deep/er/conversations.json",
        "conversations/5f.json",
        "user.json",
        "shared_conversations.json",
        "conversations.txt",
    ):
        put(tmp_path / name)

    found = [
        unit.path.relative_to(tmp_path).as_posix() for unit in export_units([tmp_path])
    ]

    assert found == [
        "conversations/5f.json",
        "conversations (1).JSON",
        "conversations-001.json",
        "conversations.json",
        "deep/er/conversations.json",
    ]


@pytest.mark.parametrize("name", ["my-export-2026.json", "talks.JSON"])
def test_a_file_that_is_named_may_have_any_name(tmp_path: Path, name: str) -> None:
    path = put(tmp_path / name)

    assert [unit.path for unit in export_units([path])] == [path]


def test_a_file_that_is_named_has_to_be_json_or_a_zip(tmp_path: Path) -> None:
    assert [*export_units([put(tmp_path / "talks.txt")])] == []


def test_every_member_with_conversations_is_a_unit(tmp_path: Path) -> None:
    path = a_zip(
        tmp_path / "export.zip",
        {
            "conversations.json": [],
            "data/conversations-002.json": [],
            "conversations/5f.json": {},
            "user.json": {},
            "chat.html": b"",
            "inner.zip": b"",
            "__MACOSX/._conversations.json": b"",
            "conversations/._5f.json": b"",
        },
    )

    assert parts(path) == [
        "conversations.json",
        "data/conversations-002.json",
        "conversations/5f.json",
    ]


def test_a_member_is_as_large_as_it_is_unpacked(tmp_path: Path) -> None:
    path = a_zip(tmp_path / "export.zip", {"conversations.json": b" " * 5000})

    (unit,) = export_units([path])

    assert unit.size == 5000


def test_a_member_that_says_something_else_has_another_stamp(tmp_path: Path) -> None:
    path = a_zip(
        tmp_path / "export.zip",
        {"conversations-0.json": b"[1]", "conversations-1.json": b"[2]"},
    )

    one, other = export_units([path])

    assert one.stamp != other.stamp


def test_a_zip_without_conversations_is_no_unit_in_a_folder(tmp_path: Path) -> None:
    a_zip(tmp_path / "photos.zip", {"a.jpg": b""})

    assert [*export_units([tmp_path])] == []


def test_a_zip_without_conversations_that_is_named_is_a_unit(tmp_path: Path) -> None:
    path = a_zip(tmp_path / "photos.zip", {"a.jpg": b""})

    assert why(path) == ["it holds no file of conversations of this name"]


def test_nothing_is_opened_where_nothing_is_named() -> None:
    assert [*export_units([])] == []


# What is read


def test_a_member_is_read_without_unpacking_it(tmp_path: Path) -> None:
    path = a_zip(tmp_path / "export.zip", {"conversations.json": LIST})
    (unit,) = export_units([path])

    read = content(unit)

    assert read == LIST
    assert [*tmp_path.iterdir()] == [path]


def test_a_member_that_is_only_stored_is_read(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("conversations.json", LIST)
    (unit,) = export_units([path])

    assert content(unit) == LIST


def test_a_zip64_is_read(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("conversations.json", "w", force_zip64=True) as member,
    ):
        member.write(LIST)
    (unit,) = export_units([path])

    assert content(unit) == LIST


def test_blocks_of_nothing_are_read_over(tmp_path: Path) -> None:
    deflate = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    packed = b"\0\0\0\xff\xff" * 60_000 + deflate.compress(LIST) + deflate.flush()
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("conversations.json", packed)
    whole = path.read_bytes()
    place = whole.index(b"PK\x01\x02")
    directory = bytearray(whole[place:])
    directory[10:12] = struct.pack("<H", zipfile.ZIP_DEFLATED)
    directory[16:20] = struct.pack("<L", zlib.crc32(LIST))
    directory[24:28] = struct.pack("<L", len(LIST))
    put(path, whole[:place] + directory)
    (unit,) = export_units([path])

    assert content(unit) == LIST


@pytest.mark.parametrize("offset", [0, 1, 150_000, 3_000_000, 9_000_000])
def test_a_member_can_be_read_from_any_place(tmp_path: Path, offset: int) -> None:
    whole = b"".join(b"%d," % number for number in range(400_000))
    path = a_zip(tmp_path / "export.zip", {"conversations.json": whole})
    (unit,) = export_units([path])

    with closing(open_export_at(unit, offset)) as stream:
        assert stream.read(20) == whole[offset : offset + 20]


def test_a_loose_file_can_be_read_from_any_place(tmp_path: Path) -> None:
    (unit,) = export_units([put(tmp_path / "conversations.json", b"0123456789")])

    with closing(open_export_at(unit, 4)) as stream:
        assert stream.read(3) == b"456"


# Zips that are broken or mean harm


def test_a_file_that_is_no_zip_says_so(tmp_path: Path) -> None:
    assert why(put(tmp_path / "export.zip", b"not a zip")) == [
        "it is no zip, or a damaged one"
    ]


def test_a_broken_zip_in_a_folder_is_reported(tmp_path: Path) -> None:
    put(tmp_path / "export.zip", b"PK\x05\x06 cut off")

    assert why(tmp_path) == ["it is no zip, or a damaged one"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no FIFOs")
def test_a_pipe_named_as_a_zip_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "export.zip")

    assert why(tmp_path) == ["it is no regular file"]


def test_a_link_named_as_a_zip_is_not_followed(tmp_path: Path) -> None:
    path = a_zip(tmp_path / "elsewhere" / "export.zip", {"conversations.json": LIST})
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "export.zip").symlink_to(path)

    assert why(tmp_path / "here") == ["it is a link"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../conversations.json", "../../conversations.json"),
        ("/etc/conversations.json", "/etc/conversations.json"),
        ("C:\\x\\conversations.json", "C:/x/conversations.json"),
        ("a\x1b[31m\u202e/conversations.json", "a?[31m?/conversations.json"),
    ],
)
def test_the_name_of_a_member_is_only_shown(
    tmp_path: Path, name: str, shown: str
) -> None:
    path = a_zip(tmp_path / "folder" / "export.zip", {name: LIST})

    (unit,) = export_units([path])

    assert (unit.part, content(unit)) == (shown, LIST)
    assert [*(tmp_path / "folder").iterdir()] == [path]


def test_a_name_with_a_nul_is_shown_whole(tmp_path: Path) -> None:
    path = a_zip(tmp_path / "export.zip", {"conversations_.json": LIST})
    put(path, path.read_bytes().replace(b"ons_.json", b"ons\0.json"))

    assert parts(path) == ["conversations?.json"]


def test_a_link_in_a_zip_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    link = zipfile.ZipInfo("conversations.json")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(link, "/etc/passwd")
        archive.writestr("conversations-1.json", LIST)

    assert parts(path) == ["conversations-1.json"]


def test_a_name_that_occurs_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        archive.writestr("conversations.json", LIST)
        archive.writestr("conversations.json", b"[1]")

    assert why(path) == ["its member conversations.json: its name occurs twice"]


def _encrypted(directory: bytes) -> bytes:
    return directory[:8] + b"\x01\x00" + directory[10:]


def _of_unknown_method(directory: bytes) -> bytes:
    return directory[:10] + b"\x0e\x00" + directory[12:]


def _growing(directory: bytes) -> bytes:
    return directory[:24] + struct.pack("<L", 0xF0000000) + directory[28:]


def _gigantic(directory: bytes) -> bytes:
    sizes = struct.pack("<LL", 0xFFFFFFFF, 0xFFFFFFFF)
    extra = struct.pack("<HHQQ", 1, 16, 2**40, 30)
    name = len("conversations.json")
    changed = directory[:20] + sizes + directory[28:30] + struct.pack("<H", 20)
    end = directory[46 + name :]
    size = struct.unpack("<L", end[12:16])[0] + 20
    end = end[:12] + struct.pack("<L", size) + end[16:]
    return changed + directory[32 : 46 + name] + extra + end


def _reaching_too_far(directory: bytes) -> bytes:
    return directory[:20] + struct.pack("<L", 200) + directory[24:]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (_encrypted, "it is encrypted"),
        (_of_unknown_method, "it is compressed in a way that is not supported"),
        (_growing, "it would grow to more than 200 times its size"),
        (_gigantic, "it would have more than 64 GB"),
        (_reaching_too_far, "it overlaps with another"),
    ],
)
def test_a_member_that_can_not_be_trusted_is_refused(
    tmp_path: Path, change: Callable[[bytes], bytes], reason: str
) -> None:
    path = a_zip(tmp_path / "export.zip", {"conversations.json": LIST})
    whole = path.read_bytes()
    place = whole.index(b"PK\x01\x02")
    put(path, whole[:place] + change(whole[place:]))

    assert why(path) == [f"its member conversations.json: {reason}"]


def test_members_that_share_their_bytes_are_refused(tmp_path: Path) -> None:
    names = ("conversations-0.json", "conversations-1.json")
    path = a_zip(tmp_path / "export.zip", dict.fromkeys(names, LIST))
    whole = path.read_bytes()
    place = whole.rindex(b"PK\x01\x02") + 42
    put(path, whole[:place] + struct.pack("<L", 0) + whole[place + 4 :])

    assert why(path) == [
        f"its member {name}: it overlaps with another" for name in names
    ]


def test_a_bomb_is_refused_before_it_is_inflated(tmp_path: Path) -> None:
    path = a_zip(tmp_path / "export.zip", {"conversations.json": b" " * 70 * 2**20})

    assert why(path) == [
        "its member conversations.json: it would grow to more than 200 times its size"
    ]


def test_a_zip_of_too_many_conversations_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_zip_members, "_MOST_MEMBERS", 2)
    names = [f"conversations/{number}.json" for number in range(3)]
    path = a_zip(tmp_path / "export.zip", dict.fromkeys(names, LIST))

    assert why(path) == ["it has more than 2 files of conversations"]


def test_a_list_of_members_that_is_too_long_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = a_zip(tmp_path / "export.zip", dict.fromkeys(map(str, range(100)), b""))
    monkeypatch.setattr(_zip_members, "_LARGEST_DIRECTORY", 1000)

    assert why(path) == ["it is no zip, or a damaged one"]


# Damage


def told(item: Item) -> Told | Skipped:
    """Tell a conversation of one message from an item with the key `mapping`."""
    if not isinstance(item.value, dict) or "mapping" not in item.value:
        return Skipped(offset=item.offset, reason=f"item {item.number} is another")
    identity = str(item.value["mapping"])
    message = Message(
        conversation=identity,
        native_id=identity,
        role=Role.USER,
        text=str(item.value.get("text", "")),
        origin=Origin(offset=item.offset, length=item.length, path="m"),
    )
    return Told(
        conversation=Conversation(native_id=identity),
        records=(message,),
        ignored=Counter(seen=1),
    )


def steps(path: Path) -> list[Append | Replace | Skipped]:
    (unit,) = export_units([path])
    return [*read_export(unit, key="mapping", tell=told)]


def numbers(path: Path) -> list[str]:
    batches = [step for step in steps(path) if not isinstance(step, Skipped)]
    records = [record for batch in batches for record in batch.records]
    return [record.native_id for record in records if isinstance(record, Message)]


def skipped(path: Path) -> list[str]:
    return [step.reason for step in steps(path) if isinstance(step, Skipped)]


def damaged(path: Path, *, wrong: Callable[[bytes], bytes]) -> Path:
    """Write a zip of a thousand conversations, with *wrong* done to its bytes."""
    texts = [hashlib.sha512(b"%d" % number).hexdigest() for number in range(1000)]
    talks = [{"mapping": number, "text": text} for number, text in enumerate(texts)]
    a_zip(path, {"conversations.json": talks})
    return put(path, wrong(path.read_bytes()))


def test_damage_costs_what_comes_after_it(tmp_path: Path) -> None:
    path = damaged(
        tmp_path / "export.zip",
        wrong=lambda whole: whole[:50_000] + b"\xff" * 500 + whole[50_500:],
    )

    assert 100 < len(numbers(path)) < 1000
    assert "its member conversations.json: it is damaged" in skipped(path)


def test_a_member_whose_bytes_run_out_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("conversations.json", LIST)
    whole = path.read_bytes()
    place = whole.index(b"PK\x01\x02") + 24
    put(path, whole[:place] + struct.pack("<L", 5000) + whole[place + 4 :])
    (unit,) = export_units([path])

    with pytest.raises(UnreadableUnitError, match="damaged"):
        content(unit)


def test_a_member_that_ends_too_early_is_damaged(tmp_path: Path) -> None:
    path = a_zip(tmp_path / "export.zip", {"conversations.json": LIST})
    whole = path.read_bytes()
    place = whole.index(b"PK\x01\x02") + 24
    put(path, whole[:place] + struct.pack("<L", 5000) + whole[place + 4 :])
    (unit,) = export_units([path])

    with pytest.raises(UnreadableUnitError, match="damaged"):
        content(unit)


def test_a_member_damaged_from_its_start_can_not_be_read(tmp_path: Path) -> None:
    path = damaged(
        tmp_path / "export.zip",
        wrong=lambda whole: whole[:60] + b"\xff" * 500 + whole[560:],
    )

    with pytest.raises(UnreadableUnitError, match="damaged"):
        steps(path)


def test_no_place_behind_damage_can_be_read(tmp_path: Path) -> None:
    path = damaged(
        tmp_path / "export.zip",
        wrong=lambda whole: whole[:60] + b"\xff" * 500 + whole[560:],
    )
    (unit,) = export_units([path])

    with pytest.raises(UnreadableUnitError, match="damaged"):
        open_export_at(unit, 100_000)


def test_a_wrong_checksum_is_reported_after_what_was_read(tmp_path: Path) -> None:
    def wrong(whole: bytes) -> bytes:
        place = whole.index(b"PK\x01\x02") + 16
        return whole[:place] + b"\0\0\0\0" + whole[place + 4 :]

    path = damaged(tmp_path / "export.zip", wrong=wrong)

    assert len(numbers(path)) == 1000
    assert skipped(path) == ["its member conversations.json: it is damaged"]


def test_a_member_that_is_not_where_the_list_says_is_damaged(tmp_path: Path) -> None:
    path = a_zip(tmp_path / "export.zip", {"conversations.json": LIST})
    put(path, b"XX" + path.read_bytes()[2:])

    assert why(path) == ["its member conversations.json: it is damaged"]


# Batches


def test_an_item_that_is_none_of_ours_is_skipped(tmp_path: Path) -> None:
    path = put(tmp_path / "conversations.json", b'[{"mapping": 1}, {"other": 2}]')

    assert (numbers(path), skipped(path)) == (["1"], ["item 2 is another"])


def test_an_empty_export_is_one_batch_of_nothing(tmp_path: Path) -> None:
    path = put(tmp_path / "conversations.json", b"[]")

    assert len(steps(path)) == 1


def test_batches_are_bounded_and_only_the_first_begins_anew(tmp_path: Path) -> None:
    talks = ", ".join(f'{{"mapping": {number}}}' for number in range(450))
    path = put(tmp_path / "conversations.json", f"[{talks}]".encode())

    shapes = [
        (type(step).__name__, len(step.records), len(step.conversations), step.ignored)
        for step in steps(path)
        if not isinstance(step, Skipped)
    ]

    assert shapes == [
        ("Replace", 200, 200, {"seen": 200}),
        ("Append", 200, 200, {"seen": 200}),
        ("Append", 50, 50, {"seen": 50}),
    ]


def test_a_message_is_read_again_at_its_origin(tmp_path: Path) -> None:
    path = put(tmp_path / "conversations.json", b'[{"mapping": 1}, {"mapping": 2}]')
    (unit,) = export_units([path])

    again = told_at(unit, Origin(offset=17, length=14, path="m"), tell=told)

    assert [message.native_id for message in again] == ["2"]


@pytest.mark.parametrize("offset", [3, 100])
def test_nothing_is_read_where_no_item_begins(tmp_path: Path, offset: int) -> None:
    path = put(tmp_path / "conversations.json", b'[{"mapping": 1}]')
    (unit,) = export_units([path])

    assert told_at(unit, Origin(offset=offset), tell=told) == ()


def test_a_format_is_known_by_its_first_items(tmp_path: Path) -> None:
    path = put(tmp_path / "conversations.json", b'[nul, {"other": 1}, {"mapping": 1}]')
    (unit,) = export_units([path])

    assert holds_key(unit, key="mapping")
    assert not holds_key(unit, key="chat_messages")
