"""Dates in Chinese and Japanese, where no space parts the words, as the same signs."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from ._date_signs import Sign

__all__ = ["cjk_signs"]

_N: Final = r"(?P<n>\d{1,3}|[一二两兩三四五六七八九十]{1,3}|几|幾|数|數)"
_M: Final = r"(?P<m>\d\d?|[一二三四五六七八九十]{1,2})月"
_O: Final = r"(?P<o>\d\d?|[一二三四五六七八九十]{1,3})[日号號]"
_UNIT: Final = (
    r" ?(?P<u>天|日|周|週間|週|个星期|個星期|星期|个月|個月|か月|ヶ月|ケ月|カ月|年)"
)
_LAST: Final = r"(?:上个?|上個?|先)"
_WEEK: Final = r"(?:周|週|星期|礼拜|禮拜)"
_WEEKDAY: Final = r"(?P<d>[一二三四五六日天])(?![次回个個])"
_DIGITS: Final = {"两": 2, "兩": 2} | {
    numeral: number for number, numeral in enumerate("一二三四五六七八九十", 1)
}
_DAYS: Final = {"天": 6} | {
    day: number
    for days in ("一二三四五六日", "月火水木金土日")
    for number, day in enumerate(days)
}
_UNITS: Final = {"天": "day", "日": "day", "周": "week", "週": "week", "年": "year"}

_WORDS: Final[tuple[tuple[str, str], ...]] = (
    (rf"(?P<y>\d{{4}})年{_M}{_O}", "o{o} {m} #{y}"),
    (rf"(?:去年|昨年)の?{_M}{_O}", "o{o} {m} last year"),
    (rf"(?<!\d){_M}{_O}", "o{o} {m}"),
    (rf"(?P<y>\d{{4}})年{_M}", "{m} #{y}"),
    (rf"(?:去年|昨年)の?{_M}", "{m} last year"),
    (rf"今年の?{_M}", "{m} this year"),
    (r"(?P<y>\d{4})年(?![度前])", "in #{y}"),
    (rf"(?:大约|大約|约|約)?{_N}{_UNIT}(?:之|以)?前", "{n} {u} ago"),
    (rf"(?:过去|過去|最近)的?{_N}{_UNIT}", "last {n} {u}"),
    (rf"{_LAST}{_WEEK}末", "last weekend"),
    (rf"{_LAST}{_WEEK}{_WEEKDAY}", "{d} last week"),
    (r"先週の(?P<d>[月火水木金土日])曜日?", "{d} last week"),
    (rf"(?:这|這|本){_WEEK}{_WEEKDAY}", "{d} this week"),
    (rf"{_LAST}{_WEEK}", "last week"),
    (r"(?:上个|上個|先)月", "last month"),
    (r"去年|昨年", "last year"),
    (r"(?:这|這|本)个?(?:周|週|星期)|今週", "this week"),
    (r"这个月|這個月|本月|今月", "this month"),
    (r"今年", "this year"),
    (r"大前天|さきおととい", "w3 days ago"),
    (r"前天|一昨日|おととい", "day-2"),
    (r"昨晚|昨夜|ゆうべ", "lastnight"),
    (r"今早|今朝", "morning"),
    (r"今晚|今夜", "tonight"),
    (r"昨天|昨日|きのう", "day-1"),
    (r"今天|今日|きょう", "day0"),
    (rf"(?<![每毎下来來翌\d一二两三四五六七八九十]){_WEEK}{_WEEKDAY}", "on {d}"),
    (r"(?<![每毎来翌])(?P<d>[月火水木金土日])曜日?", "on {d}"),
    (rf"(?<![\d每毎年个個]){_M}(?!\d)份?", "in {m}"),
)
_ANY: Final = tuple(
    (re.compile(rf"(?:在|从|從|自)?(?<![/\\_\-@.])(?:{pattern})[的にの]?"), signs)
    for pattern, signs in _WORDS
)
_NAME: Final = re.compile(r"[/\\_\-@.]\w")


def cjk_signs(text: str) -> list[Sign]:
    """Return the signs of each date in *text*, with breaks between."""
    signs: list[Sign] = []
    rest = text
    for pattern, template in _ANY:
        for found in pattern.finditer(rest):
            if _NAME.match(rest, found.end()):
                continue
            span = {"start": found.start(), "end": found.end()}
            row = template.format(**_named(found)).split()
            signs += (Sign(sign=sign, **span) for sign in (*row, "|"))
        rest = pattern.sub(lambda found: "\0" * len(found[0]), rest)
    return signs


def _named(found: re.Match[str]) -> dict[str, str]:
    return {name: _READ[name](text) for name, text in found.groupdict().items()}


def _count(numeral: str) -> str:
    """Return the sign of a number up to 99, or of "some"."""
    return "few" if numeral in "几幾数數" else f"w{_value(numeral)}"


def _value(numeral: str) -> int:
    if numeral.isdecimal():
        return int(numeral)
    tens, ten, ones = numeral.rpartition("十")
    unit = _DIGITS.get(ones[-1:], 0)
    return _DIGITS.get(tens[-1:], 1) * 10 + unit if ten else unit


def _unit(text: str) -> str:
    return next(
        (unit for sign, unit in _UNITS.items() if sign == text[0]),
        "month" if text.endswith("月") else "week",
    )


_READ: Final[dict[str, Callable[[str], str]]] = {
    "y": str,
    "m": lambda text: f"m{_value(text)}",
    "o": lambda text: str(_value(text)),
    "d": lambda text: f"d{_DAYS[text]}",
    "n": _count,
    "u": _unit,
}
