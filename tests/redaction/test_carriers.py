"""Secrets that only their place gives away: headers, cookies, addresses, commands."""

from __future__ import annotations

import base64

import pytest

from quoth.redaction import redact_text

from .secrets_made_here import drawn, drawn_hex

VALUE = drawn(32)
PAIR = base64.b64encode(b"ada:" + b"hunter2").decode()


@pytest.mark.parametrize(
    "shape",
    [
        "Authorization: Bearer {}",
        "authorization: bearer {}",
        "AUTHORIZATION: BEARER {}",
        "Authorization: token {}",
        "Authorization: {}",
        "Proxy-Authorization: Custom {}",
        'headers["Authorization"] = "Bearer {}"',
        "headers['Authorization'] = f'Bearer {}'",
        '{{"Authorization": "Bearer {}"}}',
        '{{\\"Authorization\\": \\"Bearer {}\\"}}',
        '("Authorization", "Token {}")',
        "curl -H 'Authorization: Bearer {}' https://example.org",
        "Authorization%3A%20Bearer%20{}",
        "bearer {}",
        "the bearer token {} was used",
        "Bearer: {}",
        "\x1b[33mBearer {}\x1b[0m",
        "令牌Bearer {}。",
        'curl --oauth2-bearer "{}=="',
        "X-Api-Key: {}",
        "x-api-key={}",
        '{{"apiKey": "{}"}}',
        "apikey: {}",
        "Private-Token: {}",
        "X-Auth-Token: {}",
        "x-amz-security-token: {}",
        "PRIVATE-TOKEN: {}",
        "Cookie: session={}",
        "Set-Cookie: sid={}",
    ],
)
def test_what_a_header_carries_is_replaced(shape: str) -> None:
    redacted = redact_text(shape.format(VALUE))

    assert VALUE not in redacted
    assert "[REDACTED:bearer_token]" in redacted


def test_the_header_itself_stays_readable() -> None:
    text = f"GET / with Authorization: Bearer {VALUE} and more"

    assert redact_text(text) == (
        "GET / with Authorization: Bearer [REDACTED:bearer_token] and more"
    )


@pytest.mark.parametrize("shape", ["Authorization: Basic {}", "uses basic {} here"])
def test_basic_credentials_are_replaced(shape: str) -> None:
    assert redact_text(shape.format(PAIR)) == shape.format("[REDACTED:bearer_token]")


def test_all_cookies_of_a_line_go_at_once() -> None:
    text = f"Cookie: a=1; sid={VALUE}; theme=dark\nAccept: */*"

    assert redact_text(text) == "Cookie: [REDACTED:bearer_token]\nAccept: */*"


def test_a_token_that_names_itself_keeps_its_name_behind_bearer() -> None:
    text = "Authorization: Bearer " + "ghp_" + drawn(36)

    assert redact_text(text) == "Authorization: Bearer [REDACTED:github_token]"


@pytest.mark.parametrize(
    "shape",
    [
        "curl -u ada:{} https://example.org",
        "curl --user ada:{} https://example.org",
        "curl --user=ada:{} https://example.org",
        "curl -s -u 'ada:{}' https://example.org",
        "curl -u :{} https://example.org",
        "curl -U ada:{} https://example.org",
        "curl --proxy-user ada:{} https://example.org",
    ],
)
def test_the_password_given_to_curl_is_replaced(shape: str) -> None:
    assert redact_text(shape.format("hunter2")) == shape.format(
        "[REDACTED:bearer_token]"
    )


@pytest.mark.parametrize(
    "shape", ["curl -b '{}' example.org", "curl --cookie {} example.org"]
)
def test_the_cookies_given_to_curl_are_replaced(shape: str) -> None:
    assert redact_text(shape.format(f"sid={VALUE}")) == shape.format(
        "[REDACTED:bearer_token]"
    )


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer <token>",
        "Authorization: Bearer ${TOKEN}",
        "Authorization: Bearer $TOKEN",
        "Authorization: Bearer {token}",
        "Authorization: Bearer YOUR_API_KEY",
        "Authorization: Bearer your-access-token",
        "Authorization: Bearer xxxxxxxxxxxxxxxx",
        "Authorization: Bearer ...",
        "Authorization: Bearer\n",
        "Authorization: required for every request",
        "Authorization: handled elsewhere.",
        'headers["Authorization"] = "Bearer " + token',
        'headers["Authorization"] = f"Bearer {access_token}"',
        'auth = os.environ["API_KEY"]',
        "apiKey: process.env.API_KEY_2",
        "apiKey: getApiKey2('production')",
        "api-key: os.environ['KEY_2']",
        "'ASAuthorization', 'ASAuthorizationAppleIDButton'",
        "authentication, authorization, and personalization.",
        "a bearer of good-natured-tidings from the north",
        "the forbearer 1234567890abcdef",
        "basic understanding of things",
        "Cookie: a small text file",
        "Cookie: theme=dark",
        "apiKey: string",
        "docker run -u 1000:1000 image",
        "curl -u $USER:$PASSWORD https://example.org",
        "curl -u <user>:<password> https://example.org",
        "curl -b cookies.txt -c cookies.txt https://example.org",
        "git checkout -b topic=second-attempt",
        'Authorization: Digest username="ada", realm="x"',
    ],
)
def test_headers_without_a_secret_stay(text: str) -> None:
    assert redact_text(text) == text


@pytest.mark.parametrize(
    "shape",
    [
        "postgres://ada:{}@db.example.org:5432/app",
        "postgres://ada:{}@/app?host=/var/run/postgresql",
        "jdbc:oracle:thin:ada/{}@//localhost:1521/orcl",
        "sqlplus ada/{}@orcl",
        "https://ada:{}@example.org/path",
        "redis://:{}@localhost:6379/0",
        "mongodb+srv://ada:{}@cluster.example.org/?w=1",
        'DATABASE_URL="mysql://ada:{}@127.0.0.1/db"',
        '{{"url": "https:\\/\\/ada:{}@example.org\\/"}}',
        '{{\\"url\\": \\"amqp://ada:{}@mq\\"}}',
        "next=https%3A%2F%2Fada%3A{}%40example.org",
        "地址https://ada:{}@example.org。",
        "https://example.org/?access_token={}",
        "https://example.org/?a=b&password={}&c=d",
        "https://example.org/?a=b&amp;client_secret={}&amp;c=d",
        "https://example.org/cb#access_token={}&state=1",
        "https://x.blob.example.org/c?sv=2024&sig={}",
        "https://s3.example.org/o?X-Amz-Signature={}",
        "next=https%3A%2F%2Fexample.org%3Faccess_token%3D{}",
        '"https://example.org/?a=b\\u0026api_key={}"',
        "\x1b[34mhttps://ada:{}@example.org\x1b[0m",
    ],
)
def test_what_an_address_gives_away_is_replaced(shape: str) -> None:
    assert redact_text(shape.format("s3cr3t-Pa55")) == shape.format(
        "[REDACTED:credential_url]"
    )


@pytest.mark.parametrize(
    ("before", "hook"),
    [
        ("https://hooks.slack.com/services/", f"T0{drawn(8)}/B0{drawn(8)}/{drawn(24)}"),
        (
            "https://hooks.slack-gov.com/services/",
            f"T0{drawn(8)}/B0{drawn(8)}/{drawn(24)}",
        ),
        ("https://hooks.slack.com/services/", f"T0{'0' * 7}/B0{'0' * 7}/{'X' * 24}"),
        ("https://discord.com/api/webhooks/", "1" * 18 + "/" + drawn(68)),
        ("https://x.webhook.office.com/", f"webhookb2/{drawn_hex(36)}@{drawn_hex(36)}"),
        ("https://api.telegram.org/bot", "123456789:" + drawn(35)),
    ],
)
def test_an_address_that_is_a_secret_itself_is_replaced(before: str, hook: str) -> None:
    assert redact_text(f"post to {before}{hook} .") == (
        f"post to {before}[REDACTED:credential_url] ."
    )


@pytest.mark.parametrize(
    "host", ["acme.s3.amazonaws.com", "acme-1.storage.googleapis.com", "a.jfrog.io"]
)
def test_a_host_that_one_customer_has_alone_is_replaced(host: str) -> None:
    assert redact_text(f"https://{host}/a.zip") == (
        "https://[REDACTED:credential_url]/a.zip"
    )


def test_a_long_user_name_without_a_password_is_a_token() -> None:
    text = f"git clone https://{drawn_hex(40)}@example.org/repo"

    assert redact_text(text) == (
        "git clone https://[REDACTED:credential_url]@example.org/repo"
    )


def test_a_token_in_the_place_of_the_user_goes_with_the_password() -> None:
    text = f"git clone https://{drawn_hex(40)}:x-oauth-basic@example.org/repo"

    assert redact_text(text) == (
        "git clone https://[REDACTED:credential_url]"
        ":[REDACTED:credential_url]@example.org/repo"
    )


def test_a_token_that_names_itself_keeps_its_name_in_an_address() -> None:
    text = "https://x-access-token:" + "ghp_" + drawn(36) + "@github.com/o/r"

    assert redact_text(text) == (
        "https://x-access-token:[REDACTED:github_token]@github.com/o/r"
    )


@pytest.mark.parametrize(
    "text",
    [
        "postgres://ada:<password>@localhost/db",
        "postgres://ada:${DB_PASSWORD}@localhost/db",
        "postgres://ada:{password}@localhost/db",
        "postgres://ada:[YOUR-PASSWORD]@localhost/db",
        "postgres://ada:xxxxxxxx@localhost/db",
        "postgres://ada:****@localhost/db",
        "ssh://git@example.org:22/repo",
        "git@example.org:owner/repo.git",
        "http://localhost:3000/@scope/package",
        "http://localhost:3000?mail=ada@example.org",
        "https://example.org/@ada: hello @bob",
        "https://example.org/?token=<token>",
        "https://example.org/?token=${TOKEN}",
        "https://example.org/?key=created_at&code=404",
        "https://example.org/?code=invalid_request",
        "x = token=abcdefgh12",
        "https://hooks.slack.com/services/...",
        "https://storage.googleapis.com/public/a.zip",
        "https://acme.jfrog.iota/a",
    ],
)
def test_addresses_without_a_secret_stay(text: str) -> None:
    assert redact_text(text) == text
