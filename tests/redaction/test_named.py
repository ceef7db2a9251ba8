"""Values that only the name beside them gives away, and what such names have else."""

from __future__ import annotations

import json

import pytest

from quoth.redaction import redact_counted, redact_text

from .secrets_made_here import drawn, drawn_hex

GONE = "[REDACTED:sensitive_env_vars]"
CHOSEN = "hunt" + "er-Blue9"
TOKEN = drawn(28)
UUID = "743b294a-cd03-11ec-9d64-" + "0242ac120002"


@pytest.mark.parametrize(
    "shape",
    [
        "DB_PASSWORD={}",
        "export MYSQL_PWD={}",
        "PGPASSWORD={} psql -h db",
        "password: {}",
        "password = {}",
        "passwd:{}",
        "PW:{}",
        "(ID/PW:{})",
        '"password": "{}"',
        '\\"password\\": \\"{}\\"',
        "'secret' => '{}'",
        "password := `{}`",
        'val password: String = "{}"',
        "client_secret: {}",
        'clientSecret: "{}",',
        "jwt:\n  secret: '{}' # signs",
        "<password>{}</password>",
        '<add key="MailPassword" value="{}"/>',
        "tool --password {}",
        "tool --password={} run",
        "gpg --passphrase '{}' file",
        'setPassword("{}")',
        "define( 'DB_PASSWORD' , '{}' );",
        'os.environ.get("PASSWORD") or "{}"',
        'if (password !== "{}") {{',
        "CREATE USER ada IDENTIFIED BY '{}'",
        "ALTER LOGIN ada WITH PASSWORD = '{}';",
        "Server=db;User ID=ada;Password={};Timeout=3",
        "the password is {}",
        "machine example.org login ada password {}",
        "?password=&quot;{}&quot;",
        "| password | {} |",
        "password\t{}",
        "sshpass -p {} ssh ada@example.org",
        "mysqldump -u root -p{} app",
        "docker login -u ada -p {} registry.example.org",
        "redis-cli -h cache -a {} ping",
        "keytool -genkey -storepass {}",
        "openssl rsa -in key.pem -passin pass:{}",
        "unzip -P {} x.zip",
        "7z x -p{} x.7z",
        "htpasswd -b users ada {}",
        "ldapsearch -D cn=ada -w {}",
        "PsExec.exe x -u ada -p {} cmd",
        "psexec \\\\host -u ada -p {} cmd",
        "net user ada {} /add",
        "net use z: /user:ada {}",
        "requirepass {}",
        "Connect-VIServer -User ada -Password {}",
        "ENV PASSWORD {}",
        'setx DB_PASSWORD "{}"',
        "- name: DB_PASSWORD\n  value: {}",
        '{{"name": "DB_PASSWORD", "value": "{}"}}',
        'variable "password" {{ default = "{}" }}',
        'password = String::from("{}")',
        'Dim password As String = "{}"',
        'password <- "{}"',
        "CREATE LOGIN ada WITH PASSWORD = N'{}'",
        "CREATE USER ada WITH PASSWORD '{}'",
        "ConvertTo-SecureString '{}' -AsPlainText",
        '$Password = ConvertTo-SecureString "{}" -Force',
        "get(url, auth=('ada', '{}'))",
        'HTTPBasicAuth("ada", "{}")',
        'new NetworkCredential("ada", "{}")',
        'mysqli_connect("localhost", "ada", "{}", "db")',
        "new PDO($dsn, 'ada', '{}')",
        'DriverManager.getConnection(url, "ada", "{}")',
        'WiFi.begin("net", "{}")',
        "username ada password 7 {}",
        "setenv DB_PASSWORD {}",
        "set -gx DB_PASSWORD {}",
        "snmp-server community {}",
        "passwords:{}",
        'DigestAuth("ada", "{}")',
        "masterauth {}",
        'new UsernamePasswordCredentials("ada", "{}")',
        "- **Password**: `{}`",
        "- **Password:** {}",
        "my password is `{}`",
        "`password`: `{}`",
        "default login ada password {}",
        "密码: {}",
        "密码是{}",
        "パスワード\uff1a{}",
        "비밀번호: {}",
        "пароль: {}",
        "mot de passe : {}",
        "contraseña: {}",
        'senha = "{}"',
        "wachtwoord: {}",
    ],
)
def test_a_password_is_known_by_its_name(shape: str) -> None:
    assert redact_text(shape.format(CHOSEN)) == shape.format(GONE)


@pytest.mark.parametrize(
    "shape",
    [
        "API_TOKEN={}",
        "token: {}",
        '"access_token": "{}"',
        "apiKey = '{}'",
        "SIGNING_KEY={}",
        "tool --token {}",
        "ACME_KEY={}",
        "acme_key: {}",
        "acme SECRET {}",
        "acme-token-{}",
        "acmePRIVATEKEY={}",
        "sonar.login={}",
        "the API key is {}",
        '"github_oauth": "{}"',
        "NONCE_SALT: {}",
        "_auth = {}==",
    ],
)
def test_a_token_is_known_by_its_name(shape: str) -> None:
    assert TOKEN not in redact_text(shape.format(TOKEN))


@pytest.mark.parametrize("value", [UUID, drawn_hex(40), drawn(36)])
def test_the_token_of_a_registry_goes_whatever_it_looks_like(value: str) -> None:
    text = f"//registry.example.org/:_authToken={value}"

    assert redact_text(text) == f"//registry.example.org/:_authToken={GONE}"


@pytest.mark.parametrize("value", ["letmein", "postgres", "4711", "correct-horse"])
def test_a_variable_in_upper_case_hides_any_value(value: str) -> None:
    assert redact_text(f"DB_PASSWORD={value}") == f"DB_PASSWORD={GONE}"


@pytest.mark.parametrize(
    "shape",
    [
        "MYSQL_ROOT_PASSWORD: {}\n",
        "spring.datasource.password={}\n",
        "java -Djavax.net.ssl.trustStorePassword={} -jar app.jar",
        "host=localhost user=ada password={} dbname=app",
    ],
)
def test_a_setting_without_quotes_hides_a_word(shape: str) -> None:
    assert redact_text(shape.format("postgres")) == shape.format(GONE)


@pytest.mark.parametrize(
    "shape", ["define('AUTH_KEY',         '{}');", 'API_KEY = "{}"', "secret: '{}'"]
)
def test_a_key_full_of_marks_goes_with_its_blanks(shape: str) -> None:
    value = "Xq7<o xQy rw4EMs,KM-?!T+,PFF})H4lzcW57" + "AF0U@N@< >M%G4Yt>f`z]MON"

    assert redact_text(shape.replace("{}", value)) == shape.replace("{}", GONE)


def test_a_token_that_ends_in_example_is_no_stand_in() -> None:
    value = drawn(32) + "EXAMPLE"

    assert redact_text(f'api_key: "{value}"') == f'api_key: "{GONE}"'


@pytest.mark.parametrize("name", ["password", "pin_secret"])
def test_a_password_may_be_a_number(name: str) -> None:
    assert redact_text(f"{name}: 47110815") == f"{name}: {GONE}"


@pytest.mark.parametrize("value", ["blooberry", "geronimo"])
def test_a_word_in_quotes_may_be_a_password(value: str) -> None:
    text = f"{{username: 'ada', password: '{value}'}}"

    assert redact_text(text) == f"{{username: 'ada', password: '{GONE}'}}"


def test_a_passphrase_in_quotes_goes_with_its_blanks() -> None:
    text = "gpg --passphrase 'correct horse 99' x"

    assert redact_text(text) == f"gpg --passphrase '{GONE}' x"


def test_the_same_value_is_hidden_where_it_has_no_name() -> None:
    text = f"{CHOSEN} is what ada typed; password: {CHOSEN}"

    assert redact_counted(text) == (
        f"{GONE} is what ada typed; password: {GONE}",
        {"sensitive_env_vars": 2},
    )


def test_what_is_redacted_in_decoded_json_leaves_it_json() -> None:
    told = {"env": 'DB_PASSWORD="' + CHOSEN + '"', "n": 1}

    redacted = redact_text(json.dumps(told))

    assert json.loads(redacted) == {"env": f'DB_PASSWORD="{GONE}"', "n": 1}


@pytest.mark.parametrize(
    "text",
    [
        "max_tokens: 4096",
        '"prompt_tokens": 12, "completion_tokens": 345',
        "MAX_TOKENS=4096",
        "token_type: bearer12",
        "secret_name = my-secret-42",
        "password_policy: strong-12",
        "SECRET_URL=https://example.org/a1",
        "public_key = 9Cnzj4p4WGeKLs1Pt8QuKUpRKf",
        "next_page_token: CAoQAA12345",
        "password: (leave empty)",
        "run with --password from the keychain",
        "the token bucket algorithm and the secret santa list",
        "password: string",
        "password: str | None = None",
        'password = os.environ["DB_PASSWORD"]',
        "password = get_password(user)",
        "token = tokens[12]",
        "password = config.password2",
        "connect(password=password1)",
        'this.password = "";',
        "PASSWORD=$DB_PASSWORD",
        "PASSWORD=${DB_PASSWORD}",
        "DB_PASSWORD=<your password>",
        "API_KEY=your_api_key_here_1",
        "PASSWORD_FILE=/run/secrets/db",
        "TOKEN=/run/secrets/token1",
        '"password": "Password"',
        "'password': 'Enter your password'",
        '"minipass": "^7.1.3"',
        "self.password.encode('utf-8')",
        "pwd.getpwnam('nobody1')",
        "--- PASS: TestParser/large_line_3 (0.00s)",
        'const key = "user_settings_v2";',
        '"key": "743b294a", "value": "x"',
        "primary_key: 9f86d081884c7d659a2feaa0c55ad015",
        "cache_key = sha256-9f86d081884c7d659a2feaa0",
        "HTTPPasswordMgr', 'HTTPPasswordMgrWithDefaultRealm'",
        "<input type='password' name='pw' autocomplete='current-password'>",
        "compass: north-12",
        "password ==",
        "docker run -p 8080:80 image",
        "mysql -u root -p",
        "cat password | grep root",
        "sshpass -p $PASSWORD ssh x",
        "login(user=None, password=None)",
        "use a default login and password to avoid that",
        "log in to the machine with your login and password please",
        "the mesh path is identified by NL80211_ATTR_MAC",
        "int EVP_PKEY_CTX_set_dh_rfc5114(EVP_PKEY_CTX *ctx);",
        "int EVP_PKEY_add1_attr_by_OBJ(EVP_PKEY *key);",
        "const pubkey256 = 'SIXvRyDmBJSgatgT'",
        '"api_key": "API-Schlüssel"',
        "token_end = r'(?=\\s|#|[)\\]]|$)1aBcD2'",
        'MACHINE_FUNCTION_PASS("gc-info-printer", Pass)',
        "- name: DB_PASSWORD\n  value: $(DB_PASSWORD)",
        "- name: TOKEN_URL\n  value: https://example.org/token",
        '{"name": "password", "in": "query", "required": true}',
        "DB_PASSWORD: string;",
        "self.password=password",
        "密码: 请输入密码",
        "пароль: введите",
        "you can pass `debug=True2`",
        "unzip -p archive.zip file.txt",
        "mysql -h db -P3306 -u ada",
        "the method identified by `algorithm2`",
        "the argument for a token is `args[token.index2]`",
        "the password is `get_password2()`",
        "net user",
        "7z x archive.7z -p",
        "openssl rsa -in key.pem -passin pass:$PASS",
        "auth=('user', password)",
    ],
)
def test_names_and_values_that_are_no_secret_stay(text: str) -> None:
    assert redact_text(text) == text
