"""Net abbreviations: the shorthand of Usenet, e-mail and chat. Lower case, and no words of a subject such as "ftp"."""

from __future__ import annotations

_GROUPS = {
    "asides": """
        aamof afaic afaicr afaics afaict afaik afair aiui btdt btdtgts btw cmiiw fwiw fyi hth iac iae ianal icbw iirc
        iiuc imao imco imhe imho imnsho imo imvho iow iwbni iyswim jmo jtlyk n2s nb nrn ob obtw otoh ototh pmfji ps
        pps qed rsn tbh tia tic tldr tmi ttbomk wadr wrt ymmv ymmd""",
    "replies and requests": """
        asap atm b4 bbiab bbl bbs bcnu bfn bion brb bta byob cu cul cul8r cya dqydj eod eom eot f2f faq faqs fcol fitb
        g2g gigo gmta gr8 gtg hagd hand hhok hhos ily irl iou jk jfyi kiss ktnx l8r lmk m8 motas motd motos motss msg
        myob nbd nfi nimby nntp np nts nvm oic omg ot otl otp otw pita pls plz pov ppl ptb pub re rfc rl rsvp rtfaq
        rtfm rtm sep sig sitd snafu sohf sol syl tafn tanj tanstaafl tba tbd tfh thx tla tnx tptb ttfn ttyl
        tx ty tyvm u ur w8 wb wdym wfm wtf wtg wth wysiwyg yaba yw ywia""",
    "laughter and feeling": """
        argh bg bwg eg fofl fubar fud gd gdr grr hah haha heh hehe hmm hmmm lmao lol ltm mwahaha oops ouch rofl
        roflmao rotf rotfl rotflmao sheesh sigh ugh vbg veg wg whew wow yikes""",
    "casual spellings": """
        altho c'mon cos coz cuz dunno gimme gonna gotta kinda lemme lotta nah nite nope ok okay oughta outta shoulda
        sorta tho thanx thru wanna whatcha woulda y'all ya yeah yep yup""",
}

NET_ABBREVIATIONS: tuple[str, ...] = tuple(sorted({word for group in _GROUPS.values() for word in group.split()}))
