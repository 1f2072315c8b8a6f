"""English function words: the words that carry grammar rather than subject matter, and so betray the writer.

Closed classes in full (articles, pronouns, prepositions, conjunctions, auxiliaries, particles, their contractions)
and the frequent words of open classes that say little of a topic: number words, quantifiers, adverbs of time,
degree and stance, and the light verbs in all their forms. Lower case, with the plain apostrophe.
"""

from __future__ import annotations

import re

_GROUPS = {
    "articles and determiners": """
        a an the this that these those each every either neither some any no none all both half such what whatever
        which whichever whose another other others same own certain several various""",
    "pronouns": """
        i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers
        herself it its itself they them their theirs themselves one oneself who whom whoever whomever someone somebody
        something anyone anybody anything everyone everybody everything nobody nothing""",
    "prepositions": """
        about above across after against along alongside amid amidst among amongst around as at before behind below
        beneath beside besides between beyond by concerning considering despite down during except excluding
        following for from in including inside into like minus near notwithstanding of off on onto opposite out outside
        over past pending per plus regarding round save since than through throughout till to toward
        towards under underneath unlike until unto up upon versus via with within without""",
    "conjunctions": """
        and but or nor yet so although though even if unless whether because whereas while whilst when whenever where
        wherever why how however lest once provided providing""",
    "adverbs that join": """
        accordingly also anyhow anyway consequently else furthermore hence indeed instead likewise meanwhile moreover
        namely nevertheless nonetheless otherwise rather similarly still then thereafter thereby therefore therein
        thereof thereto thereupon thus too whereby wherein whereof whereupon hereby herein hereafter""",
    "auxiliaries": """
        am is are was were be been being have has had having do does did done doing will would shall should can could
        cannot may might must ought need dare used not""",
    "contractions": """
        i'm i've i'll i'd you're you've you'll you'd he's he'll he'd she's she'll she'd it's it'll we're we've
        we'll we'd they're they've they'll they'd that's that'll there's here's what's who's where's how's let's
        isn't aren't wasn't weren't haven't hasn't hadn't don't doesn't didn't won't wouldn't shan't shouldn't can't
        couldn't mightn't mustn't needn't ain't""",
    "place and time": """
        here there everywhere nowhere somewhere anywhere elsewhere away back forth together apart ahead aside now
        again ago already always afterwards afterward beforehand early earlier eventually ever finally first firstly
        formerly forever frequently last lastly lately later latter former immediately just never next occasionally
        often presently previously recently seldom second secondly sometime sometimes soon sooner subsequently suddenly
        third usually today tomorrow yesterday""",
    "degree and quantity": """
        almost altogether barely completely enough entirely especially exactly extremely fairly fully greatly hardly
        highly least less little largely lot lots mainly many merely more most mostly much nearly only particularly
        partly perfectly plenty pretty quite scarcely simply slightly somewhat sufficiently totally utterly very
        wholly few fewer zero two three four five six seven eight nine ten""",
    "stance and manner": """
        actually apparently basically certainly clearly definitely evidently generally hopefully maybe naturally
        normally obviously okay perhaps please possibly presumably probably really seemingly surely truly
        undoubtedly unfortunately well yes oh""",
    "light verbs": """
        become becomes became becoming come comes came coming get gets got gotten getting give gives gave given giving
        go goes went gone going keep keeps kept keeping let lets make makes made making put puts seem seems seemed
        seeming take takes took taken taking tend tends tended""",
}

_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")


def _in_order() -> tuple[str, ...]:
    """Each word once, by the alphabet, whatever group it stands in."""
    return tuple(sorted({word for group in _GROUPS.values() for word in group.split()}))


FUNCTION_WORDS: tuple[str, ...] = _in_order()
"""Every function word once, sorted."""


def words(text: str) -> list[str]:
    """The words of a text as the list spells them: lower case, contractions whole, any apostrophe made plain."""
    return _TOKEN.findall(text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
