"""Words that everybody uses: as a name, they would take every sentence apart."""

from __future__ import annotations

__all__ = ["COMMON_WORDS"]

_WORDS = """
able about above abs absolute abspath abstract accept accepted access according account
accounts across action actions active actual actually add added adding addition
additional address adds after again against agents airflow ajax algorithm alias all
allow allowed allows almost alone alpha already also always analysis analytics angular
another ansible answer anthropic any anything anyway apache appear appears append
appended apple application apply approach appropriate approval appuser arbitrary archive
are argument arguments around array art article articles ascii ask assert associated
assume assumed async attempt attribute attributes audit auth author auto available avoid
await away aws azure babel back backward backwards bad bar base based bash basic bazel
because become becomes been before begin beginning behavior behaviour being below best
beta better between big billing binary bind bit bitcoin bits blank block blocking blocks
blue body book books bool boolean both bound branch brand break broken budget buf buffer
bug bugs building built bun business but byte bytes cache cached call callable callback
called caller calling calls camera campaign cancel cancelled cannot canvas card cards
care cart cases cat catch caught cause chain change changed changes char character
characters chars chat check checked checking checkpoint checks child children choice
chrome chunk chunks city class classes clean clear cli clojure close closed closing
cloud cloudflare clouduser cmake cobol coder collections color column come comma command
commands comment comments commit company compare comparison compatible compile compiled
compiler complete completed completion complex component components compressed conda
condition conditions connect connection consider considered consistent constants
constructor contact contain containing contains content contents context continue
control conversation conversion convert converted copied copies copy coroutine corp
correct correctly could count counter country counts course cover cpp create created
creates creating creation crm cross csharp css cuda current currently custom customer
customers cypress cython dart dashboard database date day dbt deal debug debugging
decimal decode defaults define defined defines definition definitions delete deleted
demos deno depend dependencies dependency dependent depending depends deprecated depth
derived described description descriptor desired detail details detect determine
determined devops dictionary did diff difference different digits dir direct directly
directories directory disable disabled discard disk display dist distribution django
docs document documented does doing don done dot dotnet double down drop dry due dummy
dump duplicate during dynamic each earlier echo effect effort either element elements
elixir elm else email emails ember empty enable enabled encode encoded encoding
encountered encrypted end ending ends engine engineer engineering enough ensure enter
entire entries entry enumerate environ environment equal equivalent erlang error errors
escape escaped eslint ethereum eval even event events every everything exact exactly
excel except exception exceptions exclude exclusive exec executable execute executed
execution exist existing exists exit expanded expect expected explicit explicitly export
express expression extend extended extension extensions external extra extract facebook
factory fail failed fails failure fall fallback false family far fast fastapi faster
feature features few field fields figma figure file filename filenames files filesystem
filter final finalize finally finance find finish finished firebase firefox first fix
fixed fixture flag flags flask float flush flutter follow followed following follows foo
food force form format formats formatted formatting fortran found four frame free friend
friends from full fully fun function functions further future futures gateway gcc gcp
gen general generate generated generator generic get gets gitpod give given gives global
gmail gnome gnu goes golang good google got gradle grafana graphql greater green grid
groovy group groups hacker hacking had hadoop handle handled handler handlers handles
handling happen happens hard has hash haskell have having head header headers health
hello helm help helper here heroku high higher history hit hold hook hooks house how
html http https huggingface human ibm idea identical identifier identify ignore ignored
image immediately implement implemented implements import important imported imports
include included includes including indent indicate indicates indicating info
information initial initialize initialized input inputs insert inside inspect install
installation installed instance instances instead instructions integer integers intel
intellij intended interactive interface internal interpreted interpreter interrupted
into invalid inventory invoice invoices invoke iphone issue issues item items iteration
its itself java javascript jboss jest jetbrains jira job jobs join journal jovyan jquery
json julia jupyter just kafka kali keep keeps kept kernel key keys keyword keywords kind
know known kotlin kubernetes labs lambda lang language laravel large larger last later
latex latter leading learning least leave left legacy length less let letter level
libraries life light like likely limit limits line lines link linkedin lisp list listed
listing lists literal little live llama llm llvm load loaded loader locale locals
location locations lock log logging logic login long longer look looking looks lookup
loop lost love low lower lua made magic mail make makes making manager many map mapping
maps markdown marked marker market marketing match matched matches matching math matlab
maven maximum maybe mcp mean meaning means meeting member members memory message
messages messenger meta metadata method methods microsoft might min missing mistral mode
modified modify money mongo mongodb monitor more most move mozilla much multi multiple
music must mypy named names namespace native necessary need needed needs negative
neither nested netflix netlify network never new newer newline news newsletter next
nextjs nim nix non normal normalize normally note nothing notice notion now npm null
numba number numbers numeric numpy nvidia object objective objects ocaml occur occurs
off office offset often old older omitted once one ones only opc open openai opened
openssl operation operations operator optimize option optional options opus oracle order
orders origin original originator other others otherwise our out output outputs outside
over overridden override own owner page pages pair pairs pandas paper parameter
parameters parent parse parsed parser parsers parsing part partial particular parts pass
passed passing password patch path pattern patterns payload payment payments pending
people per performance perhaps perl permission person personal photo photos php pi
pickle pip pipe place plain plan platform platforms player playwright please plus pnpm
poetry point points policy pop port portal portfolio position positive possible possibly
post postgresql posts power powershell prefix present prettier prevent previous print
printed printer prints prior prisma private probably problem problems proceed process
processed processing product production products profile program progress prolog
prometheus prompt proper properly properties property protobuf protocol provide provided
provider provides puppet pure purpose purposes push put pydantic pypi pytest pytorch
query question questions queue quiz quote quoted quotes qwen rabbitmq rails raise raised
raises random range rate rather raw reached react read readable reader reading reads
ready real really reason reasoning reasons received recent recognized recommended record
records recursive recursively redhat reduce redux ref reference references refuse
register registered registry regular related relative release remaining reminder remix
remote remove removed rename replace replaced replacement report reported reports
representing represents request requested requests require required requires research
reset resolution resolve resolved resource response rest restore result resulting
results resume return returned returning returns reverse reversed right role room round
row ruby ruff rules run running runs runtime rust rustc safari safe sales same sass save
saved say says scala scanner scheduler schema scheme school science scikit scipy scope
scraper scratch script second seconds secret secrets section security see seek seems
seen select selenium self semantics send sense sent sentry separate separated separator
sequence session sessions set sets setting settings setup several share shared shell
ship shop shopify short should show shows shutdown side signal signature silently
similar simple simply since single size skip skipped skipping slack slash slots slow
slug small snapshot snowflake social socket software solidity solutions some someone
something son sonnet soon sort sorted source sources space spaces spark spawn spec
special specific specified specifies specify speed split sport spring sql sqlite stack
staff staging standard start started starting starts startup stat state statement static
status steam step steps still stop storage store stored storybook stream strict string
strings strip stripe stripped struct structure structures student students studio stuff
style sub subagent subject subprocess subsequent subset success successfully such suffix
suitable sum summary supabase super supplied support supported supporting supports
suppress sure survey svelte swift switch symbols sync syntax synthetic systems tab table
tag tail tailwind take taken takes target task tasks teacher team teams telegram tell
tells temporary tensorflow terminal tesla testing tests text than that their them theme
then theory there these thesis they thing things think thinking this those though thread
threading threads three through tier time timeout times timestamp title todo together
token tokens tomcat too tool top torch total trace traceback track tracker traefik
trailing translate travel treated tree tries trip true truncate truncated try trying
turn tutorial tutorials twice twilio twitter two type types typescript typically typing
unchanged undefined under underlying understand unexpected unicode unique unity unix
unless unreal unsupported until unused update updated upper url usable usage use used
useful user1 user2 uses using usually uuid vagrant valid validate validation value
values variable variables various vault verbose vercel verify version versions very via
video videos view vim visible vite voice vsts vue wait waiting wallet want wants warn
warning warnings was wasm water way weather web3 webpack well were what whatever when
where whether which while whitespace who whole whose why width wiki wikipedia window
windows with within without won word wordpress words working works world worth would
wrap wrapped wrapper writable write writes writing written wrong xml yaml yarn yet yield
your youtube zero zig zip zsh
"""

COMMON_WORDS = frozenset(_WORDS.split())
"""The words that stand in most files of talk with assistants and of program text, names
of well-known technologies, and what accounts, teams and projects are often called.

First names are not among them. Who is called so, or what is, is still found by its
place: in a home folder, in a remote, before an `@`.
"""
