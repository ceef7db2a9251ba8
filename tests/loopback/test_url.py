"""What an endpoint may look like, and that nothing else is one."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from quoth.errors import EndpointError
from quoth.loopback import LoopbackUrl

ACCEPTED = {
    "http://127.0.0.1:11434": "http://127.0.0.1:11434",
    "http://127.0.0.1": "http://127.0.0.1:80",
    "http://127.255.255.254:1": "http://127.255.255.254:1",
    "http://[::1]:8080": "http://[::1]:8080",
    "http://localhost:1234/v1": "http://localhost:1234/v1",
    "https://localhost": "https://localhost:443",
    "http://[::ffff:127.0.0.1]:9": "http://127.0.0.1:9",
    "http://[::ffff:7f00:1]:9": "http://127.0.0.1:9",
    "http://[::FFFF:7F00:1]:9": "http://127.0.0.1:9",
    "http://[0:0:0:0:0:0:0:1]:9/": "http://[::1]:9",
    "http://127.0.0.1:65535/a/b/": "http://127.0.0.1:65535/a/b",
    "http://127.0.0.1/.well-known/...": "http://127.0.0.1:80/.well-known/...",
}
OTHER_HOSTS = (
    "http://127.0.0.1.evil.example",
    "http://localhost.evil.example",
    "http://0.0.0.0:1",
    "http://[::]:1",
    "http://0:1",
    "http://0",
    "http://[::ffff:0.0.0.0]:1",
    "http://[::ffff:192.0.2.1]:1",
    "http://[::127.0.0.1]:1",
    "http://[64:ff9b::7f00:1]:1",
    "http://[fe80::1]:1",
    "http://[fe80::1%25lo]:1",
    "http://[::1%lo]:1",
    "http://[::1%25lo]:1",
    "http://[::1%1]:1",
    "http://2130706433",
    "http://017700000001",
    "http://0x7f000001",
    "http://0x7f.0.0.1",
    "http://0177.0.0.1",
    "http://127.0.0.01",
    "http://127.00.0.1",
    "http://127.1",
    "http://127.0.1",
    "http://127.0.0.1.",
    "http://localhost.",
    "http://LOCALHOST",
    "http://Localhost:1",
    "http://localhost.localdomain",
    "http://ip6-localhost",
    "http://127.0.0.256",
    "http://128.0.0.1",
    "http://126.255.255.255",
    "http://10.0.0.1",
    "http://192.168.1.1",
    "http://169.254.169.254",
    "http://xn--localhost-",
)
OTHER_PARTS = (
    "http://localhost:x@evil.example/",
    "http://127.0.0.1@evil.example",
    "http://evil.example@127.0.0.1",
    "http://user:pw@localhost:1",
    "http://user@localhost",
    "http://127.0.0.1:80@evil.example",
    "http://127.0.0.1:80#@evil.example",
    "http://[::1]:80@evil",
    "http://127.0.0.1#frag",
    "http://127.0.0.1?x=1",
    "http://127.0.0.1/?x=1",
    "http://127.0.0.1/a/../b",
    "http://127.0.0.1/a/..",
    "http://127.0.0.1/./a",
    "http://127.0.0.1/a//b",
    "http://127.0.0.1//",
    "http://127.0.0.1/a b",
    "http://127.0.0.1/%61",
    "http://127.0.0.1\\@evil.example",
    "http://127.0.0.1\\evil.example",
    "http://evil.example\\@127.0.0.1",
    "http://127.0.0.1\\\\@evil.example",
    "http://127.0.0.1\\\\evil.example",
    "http://evil.example\\\\@127.0.0.1",
)
OTHER_SCHEMES = (
    "ftp://127.0.0.1",
    "file:///etc/passwd",
    "unix:///tmp/x",
    "ws://127.0.0.1",
    "gopher://127.0.0.1",
    "HTTP://127.0.0.1",
    "//127.0.0.1",
    "127.0.0.1:80",
    "localhost",
    "http:/127.0.0.1",
    "http:127.0.0.1",
    "http:///127.0.0.1",
    "http://",
    "http://:80",
    "",
)
OTHER_PORTS = (
    "http://127.0.0.1:0",
    "http://127.0.0.1:65536",
    "http://127.0.0.1:99999",
    "http://127.0.0.1:-1",
    "http://127.0.0.1:+80",
    "http://127.0.0.1:080",
    "http://127.0.0.1:",
    "http://127.0.0.1:8_0",
    "http://127.0.0.1:80:80",
)
OTHER_CHARACTERS = (
    "http://127.0.0.1%2eevil.example",
    "http://%6cocalhost",
    "http://127.0.0.1%00.evil.example",
    "http://loc\u0430lhost",
    "http://\uff4cocalhost",
    "http://\u24db\u24de\u24d2alhost",
    "http://\u0661\u0662\u0667.0.0.1",
    "http://\uff11\uff12\uff17.0.0.1",
    "http://127\u30020\u30020\u30021",
    "http://127\uff0e0\uff0e0\uff0e1",
    "http://127.0.0.1:\u0668\u0660",
    "http:// 127.0.0.1",
    "http://127.0.0.1 ",
    " http://127.0.0.1",
    "http://127.0.0.1 .evil.example",
    "http://local host",
    "http://127.0.0.1\n",
    "http://127.0.0.1/a\n",
    "http://127.0.0.1/a/..\n",
    "http://127.0.0.1\r\nHost: evil",
    "http://127.0.0.1\t",
    "\thttp://127.0.0.1",
    "http://127.0.0.1\x00",
    "http://127.0.0.1\u200b",
    "http://127.0.0.1/\u2028",
    "http://127.0.0.1\x85",
    "http://127.0.0.1:80\n",
    "http://localhost\u3000",
    "\ufeffhttp://127.0.0.1",
)
OTHER_BRACKETS = (
    "http://[::1",
    "http://::1",
    "http://[::1]evil.example",
    "http://[::1].evil.example",
    "http://[127.0.0.1]",
    "http://[v1.::1]",
    "http://[localhost]",
    "http://[::1]]",
    "http://[[::1]]",
    "http://[]",
    "http://[.]",
    "http://[:::]",
)
NO_TEXT = (None, b"http://127.0.0.1", 7)
REFUSED = (
    *OTHER_HOSTS,
    *OTHER_PARTS,
    *OTHER_SCHEMES,
    *OTHER_PORTS,
    *OTHER_CHARACTERS,
    *OTHER_BRACKETS,
    *NO_TEXT,
)


@pytest.mark.parametrize(("text", "spelled"), ACCEPTED.items())
def test_an_endpoint_on_this_machine_is_spelled_in_one_way(
    text: str, spelled: str
) -> None:
    url = LoopbackUrl.parse(text)

    assert str(url) == spelled
    assert LoopbackUrl.parse(spelled) == url


@pytest.mark.parametrize("text", REFUSED, ids=ascii)
def test_everything_else_is_refused(text: object) -> None:
    with pytest.raises(EndpointError) as refusal:
        LoopbackUrl.parse(text)

    assert refusal.value.__cause__ is None


def test_a_refusal_says_what_an_endpoint_looks_like_and_quotes_nothing() -> None:
    with pytest.raises(EndpointError) as refusal:
        LoopbackUrl.parse("http://ada:zanzibarquokka@localhost:11434")

    told = f"{refusal.value} {refusal.value.hint}"
    assert "http://localhost:11434" in told
    assert "ada" not in told
    assert "zanzibarquokka" not in told


def test_the_parts_are_those_of_the_text() -> None:
    url = LoopbackUrl.parse("https://[::1]/v1")

    assert url == LoopbackUrl(scheme="https", host="::1", port=443, path="/v1")
    assert (url.authority, url.origin) == ("[::1]:443", "https://[::1]:443")


@pytest.mark.parametrize(
    "parts",
    [
        {"scheme": "ftp"},
        {"host": "evil.example"},
        {"host": "127.0.0.1\r\nX: y"},
        {"port": 0},
        {"path": "/a\r\nX: y"},
        {"path": "/.."},
        {"path": "?x=1"},
    ],
    ids=ascii,
)
def test_no_endpoint_can_be_put_together_that_could_not_be_written(
    parts: dict[str, Any],
) -> None:
    right: dict[str, Any] = {"scheme": "http", "host": "127.0.0.1", "port": 80}

    with pytest.raises(EndpointError):
        LoopbackUrl(**right | parts)


def test_parsing_an_endpoint_loads_nothing_that_can_connect() -> None:
    code = (
        "import sys; from quoth.loopback import LoopbackUrl;"
        "LoopbackUrl.parse('http://[::1]:1');"
        "print({'socket', '_socket', 'ssl', 'http.client'} & sys.modules.keys())"
    )

    run = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )

    assert run.stdout == "set()\n"
