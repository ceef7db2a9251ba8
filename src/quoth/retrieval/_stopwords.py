"""Words that say how something is asked, not what about."""

# ruff: noqa: E501 - a Chinese character counts as two

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["STOP_WORDS", "topics_in"]

_FUNCTION = """
a about above after again all also am an and any are aren't as at be because been before
being below between both but by can can't cannot could couldn't did didn't do does
doesn't doing don't down during each ever few for from further had hadn't has hasn't have
haven't having he her here hers herself him himself his how i i'd i'll i'm i've if in
into is isn't it it's its itself just let's me more most my myself no nor not now of off
on once only or other our ours ourselves out over own same she should shouldn't so some
such than that that's the their theirs them themselves then there there's these they
they're this those through to too under until up us very was wasn't we we'd we'll we're
we've were weren't what what's when where which while who whom why will with won't would
wouldn't you you'd you'll you're you've your yours yourself yourselves
"""

# What frames a question to one's own memory: "what did I say about …", "remind me …".
_SCAFFOLDING = """
ask asked remember recall remind said say says talk talked talking tell told discuss
discussed discussing mention mentioned mentioning conversation conversations chat chats
previously earlier ago please
"""

# The same in German, French, Spanish, Italian, Portuguese, Dutch: what one asks with,
# articles, pronouns, auxiliaries and prepositions. In an archive that is mostly English
# these are rare, and would weigh more than what the question is about.
_OTHERS = """
aber als auf aus bei beim bis dann das dass dem den der des dich dir doch du ein eine
einem einen einer eines er es für habe haben hast hat hatte hatten ich ihm ihn ihr im
ist ja kann kannst könnte mein meine meinem meinen meiner mich mir mit nach nicht noch
nur oder schon sein seine sich sie sind über um und uns unser unsere unter vom von vor
wann waren warst warum wegen weil welche welchem welchen welcher welches wem wen wenn
wer werden wie wieso wieviel wir wird wo wofür woher wohin womit worüber wurde wurden zu
zum zur gesagt sagte sagten besprochen erzählt gesprochen erinnere erinnerst
au aux avait avec avez avons ce ces cet cette comment dans de des du elle elles est
était et être il ils je la le les leur leurs lui ma mais mes moi mon ne nos notre nous où par
pas pourquoi qu quand que quel quelle quelles quels qui quoi sa ses son sont sur ta tes
toi ton tu un une vos votre vous avons-nous avais dit disait parlé rappelle
al algo como cómo con cuál cuáles cuando cuándo cuánto cuántos del donde dónde ella ellos
era eran eres esa ese eso esta está están este esto fue fueron ha había hemos la las lo
los más me mi mis muy nos nosotros nuestra nuestro para pero por qué quien quién se si sí
sin sobre su sus también te tiene tu tus una uno unos y ya yo dijimos dije hablamos
recuerda recuérdame
che chi come cosa cui da dal dalla degli dei del della delle di dove ed gli ho il io loro
mio nel nella noi nostra nostro perché più quale quali quando quanto questa questo sono
sua suo tra tuo
aos às com como da das de do dos e ele ela em essa esse eu foi isso isto lhe mais meu
minha na não nas nem no nos nós num numa o onde os ou pela pelo por porque qual quais
quando quanto que quem se sem seu sua também tem um uma você
aan bij dat de deze die dit door een en er haar heb hebben hebt heeft hem het hoe hun ik
in is jij jouw kan maar mijn naar niet nog of om ons onze ook op over te tot u uit van
voor waar waarom wat wanneer we welk welke werd wie wij ze zich zij zijn
"""

STOP_WORDS = frozenset(f"{_FUNCTION} {_SCAFFOLDING} {_OTHERS}".split())

# Chinese and Japanese are written without spaces: these are cut out of a run. The longest
# stand first; a single character only where it is hardly ever part of a word.
_CJK_FRAME = """
为什么 為什麼 有没有 有沒有 能不能 是不是 可不可以 怎么样 怎麼樣 什么时候 什麼時候 我们 我們 你们 你們
他们 他們 什么 什麼 怎么 怎麼 怎样 怎樣 如何 哪里 哪裡 哪儿 哪个 哪個 哪些 哪家 哪种 哪種 多少 几个 幾個
请问 請問 是否 可以 应该 應該 需要 之前 以前 上次 当时 當時 后来 後來 到底 那个 那個 这个 這個 说过 說過
讨论 討論 提到 记得 記得 告诉 告訴 的 了 吗 嗎 呢 吧 啊 是 在 和 与 與 跟 我 你 他 她 它 谁 誰 哪 被 把
どうして どうやって どのように ですか ますか でしたか ましたか ください どこ どれ どの どう いつ なぜ
何を 何が 何時 誰が でした ました という から まで
"""
_CJK_ASIDE = re.compile(
    "|".join(sorted(map(re.escape, _CJK_FRAME.split()), key=len, reverse=True))
)


def topics_in(run: str) -> Iterator[str]:
    """Yield what is left of a run of CJK characters without the frame of a question."""
    return filter(None, _CJK_ASIDE.split(run))
