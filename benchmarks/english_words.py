"""Ordinary and technical English words, the most frequent first in each class.

`generate_history.py` makes its prose of them. They are only words: no corpus
was copied.
"""

from __future__ import annotations

from typing import Final

__all__ = ["ADJECTIVES", "ADVERBS", "NAMES", "NOUNS", "VERBS"]


def ranked(text: str) -> tuple[str, ...]:
    """Return the words of *text* in order, each once."""
    return tuple(dict.fromkeys(text.split()))


NOUNS: Final = ranked(
    """
    file test code change error user function time way thing problem line request
    value list name data type case state value page server message table query key
    service call number module event result option field part table job client
    version run build branch commit model object question point input output path
    place step reason answer idea name day week month year hour minute second end
    beginning side word text string letter character sentence paragraph document
    note book story report article heading title chapter summary index database
    column row record entry item element member group class method argument return
    parameter constant variable setting flag default switch button form screen window
    view component layout style colour font icon image picture photo frame video
    sound track song voice clock calendar date schedule plan meeting call customer
    order invoice payment price cost amount total balance account bank card ledger
    currency tax discount refund receipt product shop market store stock basket
    delivery parcel address street city country region border map route road bridge
    station train ship port harbour berth plane flight seat ticket passenger driver
    engine wheel motor machine tool hammer screw wire cable pipe valve pump tank water
    oil gas air fire light heat cold temperature pressure weight height width length
    distance speed rate limit range scale measure unit metre gram cup recipe kitchen
    oven pan flour sugar salt butter egg milk bread cheese onion garlic tomato apple
    lemon soup salad dinner breakfast lunch garden tree flower leaf root seed grass
    field farm animal dog cat horse bird fish bee river lake sea island beach mountain
    valley forest weather rain snow wind storm cloud sun moon star sky planet space
    house room door window wall floor roof stair garden fence gate key lock bell desk
    chair bed lamp shelf box bag bottle glass plate knife spoon paper pen pencil brush
    person child parent mother father brother sister friend neighbour teacher student
    doctor nurse patient lawyer judge manager engineer designer developer tester
    operator owner author editor reader writer speaker team company office factory
    school university hospital library museum theatre church government law rule
    contract agreement licence policy security risk threat attack password secret
    token certificate signature hash salt cipher permission role session cookie
    header body payload response status endpoint route handler controller middleware
    cache queue topic broker consumer producer worker thread process task pool timeout
    retry backoff deadline lock mutex semaphore race deadlock transaction rollback
    migration schema constraint trigger cursor snapshot replica shard partition
    cluster node pod container image registry deployment release rollout canary
    pipeline runner artifact package dependency lockfile library framework plugin
    extension hook callback promise stream buffer socket packet protocol proxy gateway
    firewall router balancer domain certificate resolver record subnet interface
    adapter driver kernel memory heap stack pointer register allocator leak garbage
    collector profiler trace span metric counter gauge histogram dashboard alert
    incident outage postmortem runbook pager log entry level formatter parser lexer
    grammar compiler linker interpreter runtime bytecode syntax tree visitor iterator
    generator decorator closure scope namespace annotation generic template macro
    regexp pattern matcher tokenizer stemmer embedding vector matrix tensor layer
    gradient batch epoch loss accuracy baseline benchmark fixture mock stub assertion
    coverage snapshot regression bug defect fault symptom cause fix patch workaround
    refactor cleanup review comment suggestion approval conflict merge rebase tag
    repository fork upstream remote origin workspace folder directory symlink archive
    backup checksum encoding charset locale timezone offset epoch interval duration
    timestamp cursor pagination filter sort order ranking score threshold weight
    feature experiment variant cohort funnel signup login logout profile avatar
    notification email inbox template newsletter campaign subscriber webhook export
    import spreadsheet chart graph axis legend tooltip modal drawer tab menu toolbar
    shortcut gesture animation transition theme palette contrast accessibility label
    caption placeholder validation constraint hint warning failure exception stack
    """
)

VERBS: Final = ranked(
    """
    use make need take give find show keep try call change start move run set get look
    help want think know see come go work add write read send return check fix test
    build load save open close create remove delete update insert select join filter
    sort group count sum split merge copy paste rename replace store fetch receive
    handle parse format print log record report count measure compare match search
    index rank score collect gather store cache expire refresh reload restart stop
    pause resume wait block lock release retry skip ignore drop keep allow deny grant
    revoke sign verify encrypt decrypt hash encode decode compress extract unpack
    install upgrade downgrade deploy roll restore migrate convert translate map reduce
    fold apply bind wrap unwrap import export expose hide render draw paint display
    highlight scroll click drag select choose decide prefer suggest propose accept
    reject approve review discuss explain describe mention ask answer reply confirm
    agree doubt suspect believe expect assume guess learn remember forget notice
    watch listen hear feel touch hold carry bring push pull lift throw catch cut break
    bend join connect detach attach mount unmount plug mix stir bake boil cook serve
    eat drink wash clean dry paint plant grow pick walk drive ride fly swim climb
    travel arrive leave stay live sleep wake rest play sing dance teach study solve
    prove calculate estimate round truncate pad trim strip escape quote validate
    sanitise normalise reuse share publish subscribe notify warn fail crash hang leak
    overflow exceed reach cross enter exit follow lead guide point aim hit miss win
    lose pay buy sell order ship deliver charge refund invoice book cancel schedule
    delay postpone repeat reverse rewind replay simulate mock patch override extend
    inherit implement declare define assign initialise allocate free reclaim profile
    trace debug inspect dump compile link execute interpret evaluate optimise inline
    """
)

ADJECTIVES: Final = ranked(
    """
    new same other first last good small large long short old right wrong next whole
    empty full open closed simple hard easy fast slow early late clear plain real
    local remote public private internal external shared common single double many
    few main default optional required missing invalid valid broken stable flaky safe
    unsafe clean dirty fresh stale cold warm hot dry wet light heavy dark bright quiet
    loud soft sharp flat round square narrow wide deep shallow high low near far
    recent current previous following final partial complete exact approximate rough
    random sorted ordered unique duplicate nested recursive linear quadratic parallel
    serial synchronous asynchronous blocking lazy eager greedy strict loose mutable
    frozen static dynamic abstract concrete generic specific typed untyped signed
    unsigned binary textual numeric decimal negative positive zero odd even prime
    green red blue yellow black white grey brown purple orange sweet sour bitter salty
    wooden metal plastic paper cheap expensive free busy idle tired happy sad angry
    careful careless honest strange familiar foreign native human natural artificial
    automatic manual daily weekly monthly annual temporary permanent historic modern
    secure encrypted authenticated anonymous verbose silent noisy redundant obsolete
    deprecated experimental portable compatible readable writable idempotent atomic
    consistent durable available resilient scalable observable reproducible minimal
    """
)

ADVERBS: Final = ranked(
    """
    again still also only never always often sometimes rarely usually already soon
    later now then here there everywhere quickly slowly carefully quietly silently
    exactly roughly nearly almost mostly partly completely correctly badly directly
    twice once together separately first finally probably perhaps certainly locally
    remotely internally atomically lazily eagerly recursively explicitly implicitly
    automatically manually daily overnight upstream downstream backwards forwards
    """
)

NAMES: Final = ranked(
    """
    Dana Ines Tomasz Yusuf Mira Kofi Lena Pavel Aiko Bruno Carla Denis Elif Farah Goran
    Hana Ivo Jonas Katya Luis Maren Noor Oskar Priya Quentin Rosa Sami Tove Uma Viktor
    """
)
