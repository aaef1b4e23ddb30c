"""Given names: whose they are, a woman's or a man's, and their short and pet forms in English.

The lists are the project's own, put together by hand. Nothing rests on their being complete: a form that is
missing is taken for another name, and a name that is missing says nothing of its bearer.
"""

from __future__ import annotations

from functools import cache

from sfumato.english.wordlists import word_set

# A name, and what its bearers are called.
_WOMEN = """
abigail: abbie abby gail
adelaide: addie
agatha: aggie
agnes: aggie nessie
alexandra: alex alix lexi sandra sandy sasha
alison: ali allie
amanda: manda mandy
amelia: amy millie
andrea: andie andy drea
angela: ange angie
anita: nita
ann: annie nan nancy
anna: annie
antonia: toni
barbara: babs barb barbie
beatrice: bea bee trixie
belinda: bel linda
bernadette: bernie
brenda: bren
bridget: biddy bridie
caroline: caro carrie
carolyn: carrie
catherine: cate cath cathy kate katie kitty
cecilia: celia cissy
charlotte: charlie lottie
christina: chris chrissie tina
christine: chris chrissie tina
constance: connie
cordelia: delia
cynthia: cindy
danielle: dani
deborah: deb debbie debs
dorothy: dolly dora dot dottie
edith: edie
eleanor: ellie nell nellie nora
elizabeth: bess bessie beth betsy betty eliza elsie libby lisbeth liz liza lizzie
emily: em emmy millie
emma: em
esther: essie
evelyn: eve evie
felicity: fliss
florence: flo florrie flossie
frances: fanny fran frankie
gabrielle: gabby
georgina: georgie gina
geraldine: gerry
gertrude: gertie trudy
gwendolyn: gwen
hannah: nan
harriet: hattie hetty
helen: nell
henrietta: etta hetty
irene: rene
isabel: bel bella izzy
isabella: bella izzy
jacqueline: jackie
janet: jan
jennifer: jen jenna jenny
jessica: jess jessie
joan: joanie
joanna: jo
joanne: jo
josephine: jo josie
judith: jude judy
julia: jules
juliet: jules
katherine: kate kath kathy katie kay kit kitty
kathleen: kath kathy katie kay
kimberly: kim
kristen: kris
lillian: lil lily
louisa: lou
louise: lou lulu
lucille: lucy
lucinda: cindy lucy
madeline: maddie
magdalena: lena magda
margaret: daisy madge mags maggie marge margie meg megan meggie peg peggy rita
maria: mia
marianne: mari
marjorie: marge margie
martha: mattie patty
mary: mamie mae minnie molly polly
matilda: mattie tilda tilly
melanie: mel
melissa: lissa mel missy
michelle: shell shelly
mildred: millie
millicent: millie
miranda: mandy randa
miriam: mim mimi
nancy: nan
natalie: nat
natasha: tasha
nicola: nic nicky
olivia: liv livvy
pamela: pam
patricia: pat patsy patty tricia trish
paula: polly
pauline: polly
penelope: nell penny
philippa: pippa
priscilla: cilla
prudence: prue
rachel: rach
rebecca: becca becky
roberta: bobbie
rosalind: ros roz
rosamund: ros
rosemary: rosie
samantha: sam sammy
sandra: sandy
sarah: sadie sally
sophia: sophie
stephanie: steff steph
susan: sue susie suzy
susannah: sue susie suzy
tabitha: tabby
teresa: terry tess tessa
theresa: terry tess tessa
valerie: val
vanessa: nessa
veronica: ronnie
victoria: tori vicky
virginia: ginny
wilhelmina: mina minnie willa
winifred: freda winnie
yvonne: vonnie
"""
_MEN = """
abraham: abe bram
adrian: ade
albert: al bert bertie albie
alexander: al alec alex lex sandy sasha xander
alfred: al alf alfie fred
andrew: andy drew
anthony: ant tony
archibald: archie
arnold: arnie
arthur: art artie
augustus: gus
barnaby: barney
bartholomew: bart
benjamin: ben benji benny
bernard: bernie
bradley: brad
charles: charlie charley chas chaz chuck
christian: chris
christopher: chris kit topher
clarence: clarry
clifford: cliff
daniel: dan danny
david: dave davey davy
dennis: den denny
dominic: dom nick
donald: don donnie
douglas: doug dougie
edmund: ed eddie ned ted
edward: ed eddie ned ted teddy
edwin: ed eddie
elijah: eli
ernest: ernie
eugene: gene
ezekiel: zeke
francis: frank frankie
franklin: frank
frederick: fred freddie freddy
gabriel: gabe
geoffrey: geoff
george: georgie
gerald: gerry jerry
gerard: gerry
gilbert: bert gil
gordon: gordie
graham: gray
gregory: greg
harold: hal harry
henry: hal hank harry
herbert: bert herb herbie
horace: horry
hubert: bert
isaac: ike
isidore: izzy
jacob: jake
james: jamie jem jim jimmy
jeffrey: jeff
jeremiah: jerry
jeremy: jem jerry
john: jack jackie johnnie johnny
jonathan: jon jonny
joseph: joe joey
joshua: josh
julian: jules
kenneth: ken kenny
laurence: larry laurie
lawrence: larry laurie
leonard: len lenny leo
leopold: leo
lewis: lew lou
louis: lou
malcolm: mal
marcus: marc
martin: marty
matthew: mat matt matty
maurice: mo
maximilian: max
maxwell: max
mervyn: merv
michael: mick mickey mike mikey micky
mitchell: mitch
mohammed: mo
montgomery: monty
nathan: nat nate
nathaniel: nat nate
nicholas: nick nicky nico
nigel: nige
norman: norm
oliver: ollie
oscar: ozzie
oswald: oz ozzie
patrick: paddy pat
percival: percy
peter: pete
philip: phil pip
phillip: phil pip
ralph: ralphie
randolph: randy
raymond: ray
reginald: reg reggie
richard: dick dickie ric rich richie rick ricky
robert: bob bobbie bobby rob robbie robby
roderick: rod roddy
rodney: rod
roger: rodge
roland: rollo
ronald: ron ronnie
rudolph: rudy
rupert: rupe
russell: russ
samuel: sam sammy
sebastian: seb
simon: si
spencer: spence
stanley: stan
stephen: steve stevie
steven: steve stevie
stuart: stu
sylvester: sly
terence: terry
theodore: ted teddy theo
thomas: thom tom tommy
timothy: tim timmy
tobias: toby
victor: vic
vincent: vin vince vinnie
walter: wally walt
wilfred: fred wilf
william: bill billy liam will willie willy
winston: winnie
zachary: zac zach zack
"""
_EITHER = """
cameron: cam
leslie: les
sidney: sid
vivian: viv
"""
# Names whose bearers are called so themselves.
_MORE_WOMEN = word_set(
    "ada adele adriana aisha akiko alba alice alicia alina alisha alma amara amber amina amy ana"
    " ananya anastasia angelica anika anjali anne annette annika anouk antoinette anya ariana arlene"
    " astrid audrey aurora ava ayesha bella bernice beryl beth betty beverley beverly bianca birgit"
    " blanche bonnie briana brigitte britney bronwen bukola camila camille candice carla carmen carol"
    " carole cassandra celeste celine chantal charlene chelsea chiara chidinma chioma chloe claire"
    " clara claudia clementine colette colleen courtney daniela daphne dawn debra deirdre delphine"
    " denise diana diane divya dolores donna doreen doris ebony edna eileen elaine elena elif elisa"
    " elisabeth elise ella ellen eloise elsa elvira emilia enid erica erika erin estelle ethel eugenia"
    " eunice eva fadila faith farah fatima fatma fatoumata felicia fernanda fiona flora folake"
    " francesca francoise freya frida funmi gabriela gail gemma genevieve georgia gillian gina giulia"
    " gladys glenda gloria grace greta guadalupe hana hanna hazel heather heidi helena helga hilda"
    " hope ida ifeoma imogen ines inga ingrid irina iris irma isabelle isla ivana ivy jana jane janice"
    " janine jasmine jeanette jemima jenna jill joann jocelyn jodie josefina joy joyce juana juanita"
    " judy julie june karen karin karina katarina kate katja kavita kayla keisha kelly khadija kirsten"
    " kirsty kristin kristina lakshmi lara latoya laura lauren lea leah leila lena leticia lidia"
    " lilian liliana lily linda lisa lola lorena loretta lorna lorraine lourdes lucia luciana lucy"
    " luisa lydia lynn lynne mabel maeve maja malika manuela marcia margarita marguerite mariam"
    " mariana marie marina marta martina maryam matilde maureen maxine meera megan mei mercedes mercy"
    " mia mila milena mina moira mona monica monika muriel myra myrtle nadia nadine naomi nasreen"
    " natalia neha ngozi nia nina nkechi noemi nora noreen norma nuala oksana olena olga olive oluchi"
    " ophelia paige paloma patience paulina pearl petra phoebe phyllis pilar pooja precious priya"
    " rania raquel rita rosa rosalie rosario rose rosie rowena ruby ruth sabina sabine sabrina sadie"
    " safiya sakura sally salma samira sara saskia savannah selena selma shabana shanice sharon sheila"
    " shirley shreya sienna sigrid silvia simone sinead siobhan sofia sofie solange sonia sophie"
    " stella sue sunita svetlana tamara tamika tania tanya tara tatiana thelma tina trudy uma ursula"
    " valentina vera verity viola violet viviana wanda wendy whitney xiomara yasmin yetunde yolanda"
    " yuko zahra zainab zara zeynep zoe zofia zsofia zuzana zuzanna"
    " abena adaeze ailsa aine akosua angharad aoife bethan branwen bronagh carys"
    " catriona ceri cerys chiamaka chipo ciara clodagh delyth demelza efua eilidh eilis eleri elin"
    " elowen fenella ffion folasade glenys gwen gwenda heulwen hyacinth iona islay jowna kerensa lowenna"
    " lowri mairead mairi mhairi mairwen modupe morag morwenna myfanwy nerys niamh nokuthula nomvula"
    " olwen orla rhian rhiannon rhona roisin ros rudo rutendo saoirse senga seren shona sian"
    " sioned tamsin tegwen thandiwe titilayo wanjiku wanjiru winifred yewande zodwa zandile"
    " gurpreet harpreet bronislawa stanislawa wladyslawa halina bozena grazyna danuta irena jadwiga"
)
_MORE_MEN = word_set(
    "aaron abdul abdullah abel abu adam adebayo adeel aditya adolf adrien ahmad ahmed ajay akash"
    " akira alan alastair alberto alejandro aleksander alessandro alexandre alexei alfonso alfredo ali"
    " alistair allan allen alvaro alvin amir amit anders andre andreas andrei andrej andres angelo"
    " angus anil antoine anton antonio arjun armando arnaud ashok asif austin avi axel aziz baltazar"
    " barry basil ben benedict bernd bilal bjorn boris brad brandon brendan brent brett brian bruce"
    " bruno bryan byron caleb callum calvin carl carlo carlos cedric cesar chad chester chidi chinedu"
    " chukwu clark claude claudio clement clive clyde cody colin connor conor conrad cornelius craig"
    " curtis cyril damian damien danilo darius darren dean declan deepak demetrius denzel derek"
    " desmond dexter diego dieter dimitri dirk dmitri donovan duncan dustin dwayne dwight dylan eamon"
    " earl edgar eduardo egbert egon elias elliot elliott elvis emanuel emeka emil emilio emmanuel"
    " enrico enrique eric erik ernesto errol ethan etienne euan evan ezra fabian fabio farid felipe"
    " felix ferdinand fergus fernando fidel filip finn fintan florian floyd francesco francisco"
    " francois frank franz friedrich fritz gareth garry gary gavin geoff georg georges gerardo gerhard"
    " giancarlo gianni gilles giorgio giovanni giuseppe glen glenn godfrey gonzalo graeme grant"
    " gunther gustav gustavo guy hamid hamish hamza hans harish harrison harvey hassan hector heinrich"
    " helmut henrik herman hermann hiroshi horst howard hugh hugo hussein ian ibrahim idris ignacio"
    " igor ikenna imran isaiah ismail ivan ivor jack jaime jan jared jarek jason javier jeff jerome jesus"
    " jim joachim joao joaquin jock joel johan johann johannes jonas jordi jorge jose josef juan julio"
    " jurgen justin kamal karim karl keith kemal kenji kevin khalid kieran klaus kofi kunal kurt kwame"
    " kyle lamar lance lars laszlo leon leonardo leroy levi lionel lloyd lorenzo luca lucas luciano"
    " ludwig luigi luis lukas luke luther magnus mahmoud manfred manoj manuel marcel marcelo marco"
    " marek mario mark markus marshall marvin mateo mathieu mats matteo matthias mauricio mauro max"
    " mehmet melvin michal miguel mikael mike mikhail milan miles milos mohamed mohammad mohan moses"
    " muhammad murray mustafa nadim naveen neil neville niall nicolas niels niklas nikolai nikos noah"
    " obinna olaf oleg olivier olu omar orlando osman otto owen pablo paolo parker pascal paul pavel"
    " pawel pedro pierre piotr pradeep prakash quentin quincy rafael raj rajesh rakesh ralf ramesh"
    " ramon randall rashid raul ravi reuben rex rhys ricardo riccardo rohan rohit roman romeo rory"
    " ross roy ruben rudolf rufus ryan salvador salvatore sanjay santiago scott seamus sean sergei"
    " sergio seth shane shaun shawn sheldon siegfried silvio sipho solomon stefan stefano stephan"
    " stewart sunil suresh sven syed tadeusz takeshi tarik tariq terrence thabo theo thierry tiago"
    " tito toby todd tom tomas tomasz travis trevor troy tunde tyler tyrone ulrich umar uwe vaclav"
    " valentin vasily vernon vijay vikram viktor vishal vladimir walt wayne wendell werner wesley"
    " wojciech wolfgang xavier yannick yasser yusuf yves zoltan"
    " alasdair aled alun babajide balbir calum cathal chukwuemeka cian ciaran cormac dafydd dai"
    " daithi darragh denzil diarmuid donal eoghan eoin emrys ewan farai ferghal fiachra finbarr fraser"
    " geraint gethin gwilym gwyn hywel huw iain idwal ieuan ifan ioan iolo jago jory kwabena"
    " kwaku kwasi lachlan llewellyn lorcan malachi malachy meurig odhran oisin oluwaseun padraig piran"
    " rhodri ronan ruaridh ruairi segun sukhdev tatenda tinashe tomos torquil tudor wyn ezekiel"
    " boguslaw bronislaw stanislaw wieslaw zbigniew"
)


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


def formal(given: str) -> str:
    """The given name of which this is a short form, where there is one only.

    >>> formal("bill"), formal("ted")
    ('william', 'ted')
    """
    names = names_of(given)
    return next(iter(names)) if len(names) == 1 else given


@cache
def relatives(given: str) -> frozenset[str]:
    """The other given names that may be those of one who has this one, each in its `formal` form.

    >>> sorted(relatives("philip")), sorted(relatives("phil")), sorted(relatives("bill"))
    (['phil', 'pip'], ['philip', 'phillip', 'pip'], ['william'])
    """
    names = names_of(given) | {given}
    alike = names.union(*(_forms().get(name, ()) for name in names))
    return frozenset(map(formal, alike)) - {given}


def gender(given: str) -> str:
    """Whether a given name in small letters is a woman's ("f") or a man's ("m"); empty where it may be of
    either, or is not listed.

    >>> gender("anna"), gender("bill"), gender("charlie"), gender("xq")
    ('f', 'm', '', '')
    """
    found = _genders().get(given, "")
    return found if len(found) == 1 else ""


@cache
def _genders() -> dict[str, str]:
    made: dict[str, str] = {}
    for mark, listed, more in (
        ("f", _WOMEN, _MORE_WOMEN),
        ("m", _MEN, _MORE_MEN),
        ("fm", _EITHER, frozenset()),
    ):
        read = _read(listed)
        for name in {*read, *more, *(form for forms in read.values() for form in forms)}:
            made[name] = made.get(name, "") + mark
    return made


@cache
def _forms() -> dict[str, frozenset[str]]:
    return _read(_WOMEN + _MEN + _EITHER)


def _read(listed: str) -> dict[str, frozenset[str]]:
    lines = (line.partition(":") for line in listed.split("\n") if line)
    return {name: frozenset(forms.split()) for name, _, forms in lines}


@cache
def _names() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name, forms in _forms().items():
        for form in forms:
            found.setdefault(form, set()).add(name)
    return {form: frozenset(names) for form, names in found.items()}
