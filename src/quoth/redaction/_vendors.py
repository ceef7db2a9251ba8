"""Keys and tokens of many a service, by the prefix it gives them."""

from __future__ import annotations

import re

from ._rule import Rule, anchored, around, is_token

__all__ = ["VENDOR_KEYS"]

_A = "[A-Za-z0-9]"
_B = "[A-Za-z0-9+/]"
_U = "[A-Za-z0-9_-]"
_H = "[0-9a-f]"


_SHORTEST_HASH = 10
_TELLING = 6
"""Characters of a prefix that is known also where a word runs into it."""


def _is_hashed(match: re.Match[str]) -> bool:
    """Whether the last part is long enough for a hash, not cut off by dots."""
    return len(match.group().rpartition("$")[2].rstrip(".")) >= _SHORTEST_HASH


def _is_one_word(match: re.Match[str]) -> bool:
    return is_token(match) and not match.group(1).isalpha()


_CRYPT = tuple(
    f"${kind}$"
    for kind in (
        *("1", "5", "6", "7", "8", "9", "y", "gy", "2a", "2b", "2x", "2y", "apr1"),
        *("argon2i", "argon2d", "argon2id", "scrypt", "pbkdf2-sha256", "pbkdf2-sha512"),
    )
)


def _vendor(key: str, tail: str) -> Rule:
    return Rule(
        name="high_entropy_secret",
        keys=(key,),
        edge=len(key) < _TELLING,
        find=anchored(re.escape(key) + tail),
    )


def _within(before: str, key: str, behind: str) -> Rule:
    """Return a rule for what has its key in the middle."""
    return Rule(
        name="high_entropy_secret",
        keys=(key,),
        edge=False,
        find=around(before, re.escape(key) + behind, reach=80),
    )


VENDOR_KEYS = (
    *(_vendor(f"gl{kind}-", r"[A-Za-z0-9_.-]{14,512}+") for kind in (
        *("pat", "ptt", "dt", "ft", "soat", "agent", "oas", "rt", "rtr", "cbt"),
        *("imt", "ffct", "wt"),
    )),  # GitLab
    *(
        _vendor(f"xox{kind}", r"[-.](?:[0-9]|xox[bp]-)[A-Za-z0-9.-]{8,512}+")  # Slack
        for kind in "abceoprs"
    ),
    _vendor("xoxd-", r"[A-Za-z0-9%+/=_-]{20,512}+"),
    _vendor("xapp-", r"[A-Za-z0-9/+-]{20,512}+"),
    *(
        # Stripe; the publishable key tells whose account it is.
        _vendor(f"{kind}_{mode}_", rf"{_A}{{10,512}}+")
        for kind in ("sk", "rk", "pk")
        for mode in ("live", "test", "prod")
    ),
    _vendor("whsec_", r"[A-Za-z0-9+/=]{24,512}+"),
    *(_vendor(f"do{kind}_v1_", rf"{_H}{{40,512}}+") for kind in "opr"),  # DigitalOcean
    *(_vendor(f"shp{kind}_", r"[a-fA-F0-9]{20,32}+") for kind in (
        "at", "ca", "pa", "ss"
    )),  # Shopify
    *(_vendor(f"vc{kind}_", rf"{_U}{{50,512}}+") for kind in "piakr"),  # Vercel
    *(_vendor(f"hv{kind}.", rf"{_U}{{20,512}}+") for kind in "sbr"),  # Vault
    *(_vendor(f"dckr_{kind}_", rf"{_U}{{20,512}}+") for kind in ("pat", "oat")),
    *(_vendor(f"sq0{kind}-", rf"{_U}{{14,512}}+") for kind in ("atp", "csp")),
    *(_vendor(f"pscale_{kind}_", r"[A-Za-z0-9_.-]{20,512}+") for kind in (
        "tkn", "pw", "oauth"
    )),
    *(_vendor(f"AT{kind}TT3", r"[A-Za-z0-9_=-]{50,512}+") for kind in "AC"),
    *(_vendor(f"sntry{kind}_", r"[A-Za-z0-9_+/=-]{40,512}+") for kind in "su"),
    *(_vendor(f"CCI{kind}_", r"[A-Za-z0-9_]{40,512}+") for kind in ("PAT", "PRJ")),
    *(_vendor(f"lin_{kind}_", rf"{_A}{{30,512}}+") for kind in ("api", "oauth")),
    *(_vendor(f"dp.{kind}.", rf"{_U}{{40,512}}+") for kind in ("pt", "st", "ct", "sa")),
    *(_vendor(f"lsv2_{kind}_", rf"{_H}{{20,32}}+(?:_{_H}{{1,10}}+)?") for kind in (
        "pt", "sk"
    )),
    _vendor("xwfp-", r"[0-9A-Za-z-]{20,512}+"),
    _vendor("amzn.mws.", r"[0-9a-f-]{20,36}"),
    _vendor("SWMTKN-1-", r"[a-z0-9]{40,60}+(?:-[a-z0-9]{1,30}+)?"),  # Docker
    _vendor("s-s4t2ud-", rf"{_H}{{40,64}}"),  # 42
    _vendor("hf_", rf"{_A}{{30,512}}+"),
    _vendor("api_org_", rf"{_A}{{30,512}}+"),
    _vendor("GR1348941", rf"{_U}{{20,512}}+"),
    _vendor("npm_", rf"{_A}{{36,512}}+"),
    _vendor("pypi-AgE", rf"{_U}{{50,1024}}+"),
    _vendor("SG.", rf"{_U}{{16,32}}\.{_U}{{16,512}}+"),
    _vendor("dapi", rf"{_H}{{20,32}}+(?:-[0-9])?"),
    _vendor("xai-", rf"{_U}{{60,512}}+"),
    _vendor("gsk_", rf"{_A}{{40,512}}+"),
    _vendor("r8_", rf"{_A}{{37,512}}+"),
    _vendor("pplx-", rf"{_A}{{40,512}}+"),
    _vendor("nvapi-", rf"{_U}{{60,512}}+"),
    _vendor("csk-", rf"{_A}{{40,512}}+"),
    _vendor("tvly-", rf"{_U}{{28,512}}+"),
    _vendor("pcsk_", r"[A-Za-z0-9_]{50,512}+"),
    _vendor("jina_", rf"{_U}{{50,512}}+"),
    _vendor("ntn_", rf"{_A}{{40,512}}+"),
    _vendor("secret_", rf"{_A}{{43}}(?!{_A})"),
    _vendor("sbp_", rf"(?:v0_)?{_H}{{28,40}}+"),
    _vendor("sb_secret_", rf"{_U}{{20,512}}+"),
    _vendor("tskey-", r"[a-z]{2,16}-[A-Za-z0-9-]{12,512}+"),
    _vendor("ops_eyJ", r"[A-Za-z0-9+/=_-]{100,2048}+"),
    _vendor("figd_", rf"{_U}{{36,512}}+"),
    _vendor("PMAK-", rf"{_H}{{24}}-{_H}{{8,34}}+"),
    _vendor("glsa_", rf"{_A}{{32}}_[a-fA-F0-9]{{8}}"),
    _vendor("glc_eyJ", r"[A-Za-z0-9+/=]{60,512}+"),
    _vendor("NRAK-", r"[A-Z0-9]{18,27}+"),
    _vendor("HRKU-", rf"{_U}{{36,512}}+"),
    _vendor("rubygems_", rf"{_H}{{32,48}}+"),
    _vendor("key-", rf"{_H}{{32}}(?!{_A})"),  # Mailgun
    _vendor("nfp_", rf"{_A}{{36,512}}+"),
    _vendor("pul-", rf"{_H}{{40}}"),
    _vendor("dt0c01.", r"[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    _vendor("sgp_", r"[A-Za-z0-9_]{40,512}+"),
    _vendor("apify_api_", rf"{_A}{{30,512}}+"),
    *(_vendor(f"sq{kind}_", rf"{_H}{{40}}") for kind in "apu"),  # SonarQube
    *(_vendor(f"bk{kind}_", rf"{_A}{{36,64}}+") for kind in (
        "ua", "aj", "ct"
    )),  # Buildkite
    *(_vendor(f"EZ{kind}K", rf"{_A}{{50,64}}+") for kind in "AT"),  # EasyPost
    *(_vendor(f"cf{kind}_", rf"{_U}{{36,80}}+") for kind in (
        "ut", "at", "k"
    )),  # Cloudflare
    *(_vendor(f"pat-{place}", r"[0-9]-[0-9a-fA-F-]{32,40}") for place in (
        "na", "eu", "ap"
    )),  # HubSpot
    _vendor(  # Alibaba
        "LTAI", rf"{_A}{{12,20}}+(?:[ \t,:;|\"']{{1,4}}{_A}{{30}}(?!{_A}))?"
    ),
    _vendor("fo1_", rf"{_U}{{40,60}}+"),
    _vendor("FlyV1 ", r"[A-Za-z0-9+/=_,-]{60,2048}+"),
    _vendor("xkeysib-", rf"{_H}{{64}}-{_A}{{16}}"),  # Brevo
    _vendor("xsmtpsib-", rf"{_H}{{64}}-{_A}{{16}}"),
    _vendor(  # 1Password
        "A3-",
        r"[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
    ),
    _vendor("EAAA", rf"{_U}{{50,200}}+"),  # Square, Facebook
    _vendor("EAAC", rf"{_U}{{50,400}}+"),
    _vendor("tgp_v1_", rf"{_U}{{36,80}}+"),  # Together
    _vendor("fw_", rf"{_A}{{22,40}}+"),  # Fireworks
    _vendor("NF-", rf"{_A}{{32}}(?!{_A})"),
    _vendor("access_token$", r"(?:production|sandbox)\$[0-9a-z]{16,20}\$[0-9a-f]{32}"),
    _vendor("CLOJARS_", rf"{_A}{{40,80}}+"),
    _vendor("CFPAT-", rf"{_U}{{36,80}}+"),  # Contentful
    _vendor("pnu_", rf"{_A}{{32,64}}+"),  # Prefect
    _vendor("rdme_", rf"{_A}{{60,90}}+"),  # ReadMe
    _vendor("tfp_", r"[A-Za-z0-9_.-]{40,90}+"),  # Typeform
    _vendor("shippo_live_", rf"{_A}{{36,64}}+"),
    _vendor("shippo_test_", rf"{_A}{{36,64}}+"),
    _vendor("duffel_live_", rf"{_U}{{36,64}}+"),
    _vendor("duffel_test_", rf"{_U}{{36,64}}+"),
    _vendor("FLWSECK", r"(?:_TEST)?-[A-Za-z0-9-]{12,60}+"),  # Flutterwave
    _vendor("fio-u-", rf"{_U}{{50,80}}+"),  # Frame.io
    _vendor("ico-", rf"{_A}{{32}}(?!{_A})"),  # Infracost
    _vendor("AKCp", rf"{_A}{{60,80}}+"),  # JFrog
    _vendor("mlsn.", rf"{_A}{{50,80}}+"),  # MailerSend
    _vendor("oy2", rf"[a-z0-9]{{43}}(?!{_A})"),  # NuGet
    _vendor("API-", r"[A-Z0-9]{25,36}(?![A-Za-z0-9-])"),  # Octopus Deploy
    _vendor("sha256~", rf"{_U}{{40,64}}+"),  # OpenShift
    _vendor("sk.eyJ", rf"{_U}{{40,200}}+\.{_U}{{16,64}}+"),  # Mapbox
    _vendor("NRII-", rf"{_U}{{30,40}}+"),
    _vendor("NRJS-", rf"{_H}{{19}}"),
    _vendor("phc_", rf"{_A}{{36,60}}+"),  # PostHog
    _vendor("phx_", rf"{_A}{{36,60}}+"),
    _vendor("dnkey-", rf"{_U}{{20,120}}+"),
    _vendor("sl.", rf"{_U}{{100,1500}}+"),  # Dropbox
    _vendor("e2b_", rf"{_A}{{36,64}}+"),
    _vendor("fc-", rf"{_H}{{32}}(?!{_A})"),  # Firecrawl
    _vendor("bb_live_", rf"{_U}{{20,60}}+"),  # Browserbase
    _vendor("vtwn_", rf"{_A}{{26,40}}+"),  # Val Town
    _vendor("tr_dev_", rf"{_A}{{18,40}}+"),
    _vendor("tr_prod_", rf"{_A}{{18,40}}+"),
    _vendor("re_", rf"{_A}{{8}}_{_A}{{24}}(?!{_A})"),  # Resend
    _vendor("AIPK-", rf"{_A}{{30,60}}+"),
    _vendor("wpat_", rf"{_U}{{30,80}}+"),
    _vendor("pdl_", r"(?:live|sdbx)_apikey_[A-Za-z0-9_]{30,80}+"),  # Paddle
    _vendor("pina_", rf"{_A}{{32,80}}+"),
    _vendor("dvc_server_", rf"{_U}{{16,80}}+"),
    _vendor("zpka_", r"[A-Za-z0-9_]{40,80}+"),  # Zuplo
    _vendor("sgamp_user_", r"[A-Za-z0-9_]{40,120}+"),
    _vendor("sk_", rf"{_H}{{32,64}}(?!{_A})"),
    Rule(  # Hashes of passwords; a salt may be filled up with dots.
        name="high_entropy_secret",
        keys=_CRYPT,
        edge=False,
        find=anchored(
            r"\$[a-zA-Z0-9-]{1,16}\$[./A-Za-z0-9$=,+-]{20,256}+", _is_hashed
        ),
    ),
    Rule(
        name="high_entropy_secret",
        keys=("$P$", "$H$"),
        edge=False,
        find=anchored(rf"\$[PH]\$[./A-Za-z0-9]{{20,31}}(?!{_A})"),
    ),
    Rule(
        name="high_entropy_secret",
        keys=("{SHA", "{SSHA", "{SMD5}", "{CRYPT}", "{PBKDF2"),
        edge=False,
        find=anchored(
            r"\{(?:S?SHA[0-9]{0,3}|SMD5|CRYPT|PBKDF2[A-Z0-9-]{0,10})\}"
            r"([./A-Za-z0-9$+]{16,256}+={0,2})",
            _is_one_word,
        ),
    ),
    Rule(
        name="high_entropy_secret",
        keys=("pbkdf2_sha", "pbkdf2:sha", "scrypt:", "bcrypt_sha256$", "argon2$"),
        find=anchored(
            r"[a-z0-9_:]{6,32}+\$[./A-Za-z0-9$=,+-]{24,256}+", _is_hashed
        ),
    ),
    _vendor("SK", rf"(?:{_H}{{32}}|[0-9A-F]{{32}})(?!{_A})"),  # Twilio
    _within(rf"(?<!{_A})[A-Za-z0-9_.~-]{{3}}[0-9]", "Q~", r"[A-Za-z0-9_.~-]{31,34}"),
    _within(rf"(?<!{_A}){_A}{{76}}", "AZDO", rf"{_A}{{4}}(?!{_A})"),  # Azure DevOps
    _within(rf"(?<!{_A}){_H}{{36}}", "NRAL", ""),  # New Relic
    _within(rf"(?<!{_A}){_A}{{32}}", "-us", rf"[0-9]{{1,2}}(?!{_A})"),  # Mailchimp
    _within(rf"(?<!{_A})[0-9]{{8,10}}", ":AA", rf"{_U}{{30,40}}+"),  # Telegram
    Rule(
        name="high_entropy_secret",
        keys=("accountkey=", "sharedaccesskey="),
        any_case=True,
        edge=False,
        find=anchored(rf"[A-Za-z]{{10,16}}=({_B}{{40,128}}+={{0,2}})"),
    ),
)  # fmt: skip
