"""Short and pet forms of English given names.

The list is the project's own, put together by hand. Nothing rests on its being complete: a form that is
missing is taken for another name.
"""

from __future__ import annotations

from functools import cache

# A name, and what its bearers are called.
_FORMS = """
abigail: abbie abby gail
abraham: abe bram
adelaide: addie
adrian: ade
agatha: aggie
agnes: aggie nessie
albert: al bert bertie albie
alexander: al alec alex lex sandy sasha xander
alexandra: alex alix lexi sandra sandy sasha
alfred: al alf alfie fred
alison: ali allie
amanda: manda mandy
amelia: amy millie
andrea: andie andy drea
andrew: andy drew
angela: ange angie
anita: nita
ann: annie nan nancy
anna: annie
anthony: ant tony
antonia: toni
archibald: archie
arnold: arnie
arthur: art artie
augustus: gus
barbara: babs barb barbie
barnaby: barney
bartholomew: bart
beatrice: bea bee trixie
belinda: bel linda
benjamin: ben benji benny
bernadette: bernie
bernard: bernie
bradley: brad
brenda: bren
bridget: biddy bridie
cameron: cam
caroline: caro carrie
carolyn: carrie
catherine: cate cath cathy kate katie kitty
cecilia: celia cissy
charles: charlie charley chas chaz chuck
charlotte: charlie lottie
christian: chris
christina: chris chrissie tina
christine: chris chrissie tina
christopher: chris kit topher
clarence: clarry
clifford: cliff
constance: connie
cordelia: delia
cynthia: cindy
daniel: dan danny
danielle: dani
david: dave davey davy
deborah: deb debbie debs
dennis: den denny
dominic: dom nick
donald: don donnie
dorothy: dolly dora dot dottie
douglas: doug dougie
edith: edie
edmund: ed eddie ned ted
edward: ed eddie ned ted teddy
edwin: ed eddie
eleanor: ellie nell nellie nora
elijah: eli
elizabeth: bess bessie beth betsy betty eliza elsie libby lisbeth liz liza lizzie
emily: em emmy millie
emma: em
ernest: ernie
esther: essie
eugene: gene
evelyn: eve evie
ezekiel: zeke
felicity: fliss
florence: flo florrie flossie
frances: fanny fran frankie
francis: frank frankie
franklin: frank
frederick: fred freddie freddy
gabriel: gabe
gabrielle: gabby
geoffrey: geoff
george: georgie
georgina: georgie gina
gerald: gerry jerry
geraldine: gerry
gerard: gerry
gertrude: gertie trudy
gilbert: bert gil
gordon: gordie
graham: gray
gregory: greg
gwendolyn: gwen
hannah: nan
harold: hal harry
harriet: hattie hetty
helen: nell
henrietta: etta hetty
henry: hal hank harry
herbert: bert herb herbie
horace: horry
hubert: bert
irene: rene
isaac: ike
isabel: bel bella izzy
isabella: bella izzy
isidore: izzy
jacob: jake
jacqueline: jackie
james: jamie jem jim jimmy
janet: jan
jeffrey: jeff
jennifer: jen jenna jenny
jeremiah: jerry
jeremy: jem jerry
jessica: jess jessie
joan: joanie
joanna: jo
joanne: jo
john: jack jackie johnnie johnny
jonathan: jon jonny
joseph: joe joey
josephine: jo josie
joshua: josh
judith: jude judy
julia: jules
julian: jules
juliet: jules
katherine: kate kath kathy katie kay kit kitty
kathleen: kath kathy katie kay
kenneth: ken kenny
kimberly: kim
kristen: kris
laurence: larry laurie
lawrence: larry laurie
leonard: len lenny leo
leopold: leo
leslie: les
lewis: lew lou
lillian: lil lily
louis: lou
louisa: lou
louise: lou lulu
lucille: lucy
lucinda: cindy lucy
madeline: maddie
magdalena: lena magda
malcolm: mal
marcus: marc
margaret: daisy madge mags maggie marge margie meg megan meggie peg peggy rita
maria: mia
marianne: mari
marjorie: marge margie
martha: mattie patty
martin: marty
mary: mamie mae minnie molly polly
matilda: mattie tilda tilly
matthew: mat matt matty
maurice: mo
maximilian: max
maxwell: max
melanie: mel
melissa: lissa mel missy
mervyn: merv
michael: mick mickey mike mikey micky
michelle: shell shelly
mildred: millie
millicent: millie
miranda: mandy randa
miriam: mim mimi
mitchell: mitch
mohammed: mo
montgomery: monty
nancy: nan
natalie: nat
natasha: tasha
nathan: nat nate
nathaniel: nat nate
nicholas: nick nicky nico
nicola: nic nicky
nigel: nige
norman: norm
oliver: ollie
olivia: liv livvy
oscar: ozzie
oswald: oz ozzie
pamela: pam
patricia: pat patsy patty tricia trish
patrick: paddy pat
paula: polly
pauline: polly
penelope: nell penny
percival: percy
peter: pete
philip: phil pip
phillip: phil pip
philippa: pippa
priscilla: cilla
prudence: prue
rachel: rach
ralph: ralphie
randolph: randy
raymond: ray
rebecca: becca becky
reginald: reg reggie
richard: dick dickie ric rich richie rick ricky
robert: bob bobbie bobby rob robbie robby
roberta: bobbie
roderick: rod roddy
rodney: rod
roger: rodge
roland: rollo
ronald: ron ronnie
rosalind: ros roz
rosamund: ros
rosemary: rosie
rudolph: rudy
rupert: rupe
russell: russ
samantha: sam sammy
samuel: sam sammy
sandra: sandy
sarah: sadie sally
sebastian: seb
sidney: sid
simon: si
sophia: sophie
spencer: spence
stanley: stan
stephanie: steff steph
stephen: steve stevie
steven: steve stevie
stuart: stu
susan: sue susie suzy
susannah: sue susie suzy
sylvester: sly
tabitha: tabby
terence: terry
teresa: terry tess tessa
theodore: ted teddy theo
theresa: terry tess tessa
thomas: thom tom tommy
timothy: tim timmy
tobias: toby
valerie: val
vanessa: nessa
veronica: ronnie
victor: vic
victoria: tori vicky
vincent: vin vince vinnie
virginia: ginny
vivian: viv
walter: wally walt
wilfred: fred wilf
wilhelmina: mina minnie willa
william: bill billy liam will willie willy
winifred: freda winnie
winston: winnie
yvonne: vonnie
zachary: zac zach zack
"""


def is_given(word: str) -> bool:
    """Whether a word in small letters is one of the given names listed, or a form of one."""
    return word in _forms() or word in _names()


def is_short_for(short: str, name: str) -> bool:
    """Whether the bearers of a given name are called so; both in small letters.

    >>> is_short_for("bill", "william"), is_short_for("bill", "robert"), is_short_for("william", "bill")
    (True, False, False)
    """
    return short in _forms().get(name, ())


def names_of(short: str) -> frozenset[str]:
    """The given names of which this is a short form.

    >>> sorted(names_of("ted"))
    ['edmund', 'edward', 'theodore']
    """
    return _names().get(short, frozenset())


def same_given(one: str, other: str) -> bool:
    """Whether two given names may be those of one person: equal, or one short for the other, or both for one.

    >>> same_given("liz", "elizabeth"), same_given("liz", "betty"), same_given("liz", "bill")
    (True, True, False)
    """
    if one == other or is_short_for(one, other) or is_short_for(other, one):
        return True
    return not names_of(one).isdisjoint(names_of(other))


@cache
def _forms() -> dict[str, frozenset[str]]:
    lines = (line.partition(":") for line in _FORMS.split("\n") if line)
    return {name: frozenset(forms.split()) for name, _, forms in lines}


@cache
def _names() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name, forms in _forms().items():
        for form in forms:
            found.setdefault(form, set()).add(name)
    return {form: frozenset(names) for form, names in found.items()}
