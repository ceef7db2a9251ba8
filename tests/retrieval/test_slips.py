"""Which word of the archive was meant by one that it doesn't hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from string import ascii_lowercase

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quoth.retrieval._slips import close_spellings, distance, may_be_slip, surface
from quoth.store import Tokenizer

TOKENIZER = Tokenizer()

WORDS = """
access account achieve address algorithm alter angular architect argument array
asynchronous auth authentication authority authorization automatic available average
backed band bandwidth base basic batch beginning believe branch break broken brother
browser build business cache calendar candidate cargo cash certificate change channel
class classic clause client closed cluster column command commit common company
comparison compatibility compile complete component concert concurrency config
configuration conference connection consensus consistent constant construct contain
container context contract control convert correct counter create critical current
database dead debug decide decimal declare decrypt deduce default definitely definition
delay deploy deployment deprecated depreciation derive describe desert design dessert
destroy detect develop device dictionary direct directory discover dispatch distance
docker document domain double driver effect emission encryption endpoint engine
environment error escape event exception exist existence expand expect expert export
express extend failure fashion feature february festival fetch field figure file filter
flask folder font form format formula forward frame framework fronted function
fundraiser garden gather gateway generate government graph graphql grid group handle
handler header height history host idea immediately immigration implementation implied
import improve indent independent index inform information initial initialize insert
inspect install instance instant integer intern internal international interpret invoice
iterate java javascript join kafka kernel kettle key kubernetes language later layer
length letter level library like list listener local locale lock logic lost machine
maintain maintenance manage manifest map margin mask master match memory menu merge
message method middle middleware migration mirror missing mission mobile model modern
module monitor month motion mount name necessary nested network nginx node note object
observe occurred offer often online operation optimize option order origin other output
package page panel parallel parameter parcel parse partial password patch path pattern
people perform performance permission persistent phone picture pipe plan planning plane
plant platform player plugin pocket point policy port position possession post postgres
postgresql power prefer preferred present preview primary print private
privilege problem process product profile program project prompt proper protect protocol
provide proxy public publish python quality quarry query queue quite rabbit random range
react reader ready reason receive recommend record recover redeem redirect redis redraw
redrive reduce refactor reference register relay release relevant remote render repair
repeat replica report repository request require rescue reset resolve resource response
restaurant restore result resume retrieve return reveal review revoke rhythm ribbon ring
river root route router runner rust scale schedule schema scope script search second
secret section security seed segment select separate serial series serve server service
session setting shadow share shell shift signal simple single site size sleep snippet
socket solve source space speak special split spring stable stack stage standard
start state static status steam storage store stream string strong struct style subject
submit subset success sudden suggest suite summary support surprise switch symbol sync
syntax system table target task team template temporary terminal terraform test text
thread through throughput ticket time timeout title token tomorrow tool total trace
tracking track traffic train transaction transit translate tree trigger trust tuple type
typescript typical unique unit until update upload use user valid value variable vector
version view virtual visit voice volume wait warning watch webhook wednesday weird
western which widget width window wired with worker wrapper write writing yellow
because dependency happen pasta
"""
HELD = WORDS.split()


TYPED_AND_MEANT = """
recieve receive|enviroment environment|seperate separate|definately definitely
happend happen|immediatly immediately|becuase because
beleive believe|acheive achieve|suprise surprise|tommorow tomorrow|wich which
wierd weird|rythm rhythm|langauge language|fucntion function|retrun return
lenght length|heigth height|widht width|stirng string|improt import|calss class
pyhton python|pyton python|javascirpt javascript|databse database|querry query
shcema schema|migraton migration|tabel table|indx index|kuberentes kubernetes
kubrenetse kubernetes|postgers postgres|postgresl postgresql
dokcer docker|docekr docker|contaner container|middelware middleware
authetication authentication|autehntication authentication
authorizaton authorization|confgiuration configuration|configuraiton configuration
deprecaeted deprecated|deploymnet deployment|enpoint endpoint|excpetion exception
asynchonous asynchronous|concurency concurrency|algoritm algorithm|paramter parameter
arguemnt argument|varible variable|respone response|requets request|reqeust request
templete template|dictonary dictionary|libary library|repositry repository
brnach branch|comit commit|mrege merge|optmize optimize|performace performance
preformance performance|intial initial|sucess success|failiure failure|erorr error
messsage message|mesage message|availble available|infomation information
implmentation implementation|netowrk network|passowrd password|permisson permission
proccess process|serach search|sevrer server|udpate update|upate update|vlaue value
ahndler handler|iwth with|ngnix nginx|kafak kafka|grpahql graphql
typscript typescript|webhok webhook|encyption encryption|decypt decrypt
certifcate certificate|mointor monitor|scedule schedule|schedual schedule
bandwith bandwidth|resturant restaurant|febuary february|wendesday wednesday
redirve redrive|redrvie redrive|fesetival festival|funraiser fundraiser
porxy proxy|porject project|tets test|necesary necessary
possesion possession|goverment government|teraform terraform|refcator refactor
pasword password|trhoughput throughput|snyc sync|consensis consensus
privelege privilege|recomend recommend|paralel parallel|terminla terminal
buisness business|transacton transaction|socekt socket
"""
SLIPS = [pair.split() for pair in TYPED_AND_MEANT.replace("\n", "|").split("|") if pair]


NO_SLIPS = [
    *("teh", "tst", "", "a", "npm", "gti", "ubs"),  # too short
    *("sha256", "utf8", "port8080", "2fa", "v2beta", "ipv6", "kuberentes1"),
    *("max_lenght", "src/mian.py", "foo.bar", "x-reqeust", "naem@host", "it's"),
    *("数据库", "データ", "데이터베이스", "redrive用", "東京tokyo"),
    *("umbrella", "galaxy", "zebra", "trombone", "zzyzxqq", "quixotic", "mnemonic"),
    *("melanie", "gustavo", "wojciech", "oyelaran", "tchaikovsky", "nguyen"),
    *("fother", "zerver", "mouter", "hocker", "erver"),  # another first letter
    *("sciprs", "rdeirve", "erqeust", "fnutino"),  # twice in a short word
    *("cxbfigurxtkon", "kxbxrnxtxs"),  # thrice in a long one
    "a" * 41,
]

KNOWN_WORDS = """
mother bake bike chip fish flea herb meal peak road seen skin song team term tank caches
like band with back end front under grad cover track sing seasons shoe
"""
KNOWN = frozenset(KNOWN_WORDS.split())
ORDINARY = [
    *("mother", "bake", "bike", "herb", "meal", "peak", "skin", "tank", "term"),
    *("terms", "sings", "tracker", "covering", "shoes", "backend", "frontend"),
]


@pytest.fixture(autouse=True, scope="module")
def _close() -> Iterator[None]:
    yield
    TOKENIZER.close()


def stem_of(word: str) -> str:
    return " ".join(TOKENIZER.tokens(word))


VOCABULARY = [(stem, 5) for stem in sorted(set(map(stem_of, HELD)))]


def spellings(
    word: str,
    stems: Sequence[tuple[str, int]] = VOCABULARY,
    known: frozenset[str] = KNOWN,
) -> list[str]:
    return list(
        close_spellings(word, stems, stem_of=stem_of, is_known=known.__contains__)
    )


def close_to(word: str, *stems: tuple[str, int]) -> list[str]:
    return spellings(word, stems, frozenset())


@pytest.mark.parametrize(("typed", "meant"), SLIPS)
def test_a_slip_is_put_right(typed: str, meant: str) -> None:
    assert list(map(stem_of, spellings(typed)[:1])) == [stem_of(meant)]


@pytest.mark.parametrize("typed", NO_SLIPS)
def test_what_is_no_slip_for_anything_held_stays(typed: str) -> None:
    assert spellings(typed) == []


@pytest.mark.parametrize("word", ORDINARY)
def test_a_word_of_the_language_is_no_slip_for_one_that_is_held(word: str) -> None:
    """A question may well ask for what nobody talked about."""
    assert spellings(word) == []


def test_an_inflected_word_may_lack_a_doubled_letter() -> None:
    known = frozenset(["plan"])

    found = spellings("planed", [("plan", 1), ("planet", 1)], known)

    assert found == ["planned"]


def test_a_compound_may_lack_a_letter() -> None:
    assert spellings("bandwith", [("bandwidth", 1)]) == ["bandwidth"]


def test_what_is_found_has_the_stem_that_is_held() -> None:
    """The index stems what it is asked for, and a stem may not be its own stem."""
    (found,) = close_to("databsae", ("databas", 1))

    assert stem_of(found) == "databas"


def test_a_slip_may_break_the_stem() -> None:
    assert stem_of("confgiuration") != stem_of("configuration")
    assert close_to("confgiuration", ("configur", 1)) == ["configuration"]


def test_a_word_is_no_slip_for_itself() -> None:
    """`café` is held as `cafe`."""
    assert close_to("cafe", ("cafe", 3)) == []


def test_what_the_stemmer_takes_off_may_be_misspelt() -> None:
    """The index finds it as it was typed."""
    assert spellings("independant") == []


def test_other_alphabets_have_slips_too() -> None:
    assert close_to("првиет", ("привет", 1), ("приезд", 9)) == ["привет"]


def test_fewer_edits_come_first() -> None:
    stems = ("kubernet", 1), ("kyberents", 900)

    found = close_to("kubernetse", *stems)

    assert found == ["kubernetes", "kyberentse"]


@pytest.mark.parametrize(
    ("typed", "likelier", "other"),
    [
        ("porxy", "proxy", "poxy"),  # swapped, a letter too much
        ("comit", "commit", "vomit"),
        ("querry", "query", "quarry"),  # doubled, another vowel
        ("gatewat", "gateway", "gatewax"),  # a neighbour, and not
        ("redirve", "redrive", "redire"),
    ],
)
def test_the_likelier_slip_comes_first(typed: str, likelier: str, other: str) -> None:
    stems = [(stem_of(word), 3) for word in (other, likelier)]

    assert stem_of(close_to(typed, *stems)[0]) == stem_of(likelier)


def test_of_equal_slips_what_more_messages_hold_comes_first() -> None:
    assert close_to("wierd", ("wire", 2), ("weird", 3)) == ["weird", "wired"]


def test_of_equals_the_first_by_spelling_comes_first() -> None:
    assert close_to("planr", ("plant", 2), ("plane", 2)) == ["plane", "plant"]
    assert close_to("tracj", ("track", 2), ("trach", 2)) == ["trach", "track"]


def test_what_hardly_anything_holds_may_itself_be_a_slip() -> None:
    assert close_to("optmize", ("optim", 4_000), ("optimz", 2))[0] == "optimize"
    assert close_to("optmize", ("optim", 4), ("optimz", 2))[0] == "optimze"


def test_the_order_of_the_candidates_does_not_matter() -> None:
    assert spellings("stirng", VOCABULARY[::-1]) == spellings("stirng")


def test_two_slips_are_looked_for_in_what_most_messages_hold() -> None:
    """However many words begin alike, an answer takes milliseconds."""
    pairs = product(ascii_lowercase, repeat=2)
    more_held = [(f"configur{one}{other}", 2) for one, other in pairs]

    assert close_to("kofnigur", ("configur", 1)) == ["configur"]
    assert close_to("kofnigur", *more_held, ("configur", 1)) == []


# What was written


def test_the_surface_is_the_closest_form_that_was_written() -> None:
    texts = ["Configured, configured and configured", "The configuration is ours."]

    found = surface("configuration", texts, TOKENIZER, typed="confgiuration")

    assert found == "configuration"


def test_of_equally_close_forms_the_most_frequent_is_the_surface() -> None:
    texts = ["Redrives, redrive", "REDRIVED and redrived"]

    assert surface("redrive", texts, TOKENIZER, typed="rediive") == "redrive"
    assert surface(
        "plants", ["plant plants", "planty Plants"], TOKENIZER, typed="plantr"
    )


def test_the_surface_keeps_its_accents() -> None:
    texts = ["Résumé, résumé", "resume"]

    assert surface("resume", texts, TOKENIZER, typed="reusme") == "résumé"


def test_no_form_that_was_written_is_close() -> None:
    """`backed` may be a slip for `backend`, but only `backing` was said."""
    assert surface("backed", ["backing back"], TOKENIZER, typed="backend") is None
    assert surface("backed", [], TOKENIZER, typed="backend") is None


def test_the_surface_has_the_stem_that_was_found() -> None:
    assert surface("wired", ["weird weird"], TOKENIZER, typed="wierd") is None


# Any input

LETTERS = st.text("abcdé", max_size=7)


def naive_distance(one: str, other: str) -> int:
    if not one or not other:
        return len(one) + len(other)
    costs = [
        naive_distance(one[:-1], other) + 1,
        naive_distance(one, other[:-1]) + 1,
        naive_distance(one[:-1], other[:-1]) + (one[-1] != other[-1]),
    ]
    if len(one) > 1 and one[-2:] == other[:-3:-1]:
        costs.append(naive_distance(one[:-2], other[:-2]) + 1)
    return min(costs)


@given(LETTERS, LETTERS)
def test_the_distance_is_the_optimal_string_alignment(one: str, other: str) -> None:
    assert distance(one, other) == naive_distance(one, other)


@given(st.text(max_size=40), st.text(max_size=40))
def test_the_distance_is_the_same_both_ways(one: str, other: str) -> None:
    assert distance(one, other) == distance(other, one)


@given(
    st.text(max_size=12),
    st.lists(st.tuples(st.text(min_size=1, max_size=12), st.integers(0, 99))),
)
def test_any_input_has_an_answer(word: str, stems: list[tuple[str, int]]) -> None:
    found = close_to(word, *stems)

    assert {*map(stem_of, found)} <= {stem for stem, _ in stems}
    assert may_be_slip(word) or not found


@settings(deadline=None)
@given(st.sampled_from([word for word in HELD if len(word) > 7]), st.data())
def test_two_letters_swapped_are_put_right(word: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(1, len(word) - 2))
    swapped = word[place : place + 2][::-1]
    typed = word[:place] + swapped + word[place + 2 :]

    found = spellings(typed, known=frozenset())

    assert stem_of(word) in {stem_of(typed), *map(stem_of, found)}
