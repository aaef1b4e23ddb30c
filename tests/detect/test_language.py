"""Passages in other languages and scripts: refused, hidden as a block, or kept, as the policy says; English never."""

from pathlib import Path

import pytest

from sfumato import formats, sanitize
from sfumato.detect.language import passages
from sfumato.errors import InputError

FOREIGN = {
    "German": "Der Patient wohnt in Bad Tölz und arbeitet dort seit Jahren als Lehrer.",
    "German, shouting": "DER PATIENT WOHNT IN BAD TÖLZ UND ARBEITET DORT SEIT JAHREN ALS LEHRER",
    "French": "Le patient est né à Lyon et habite rue de la Paix.",
    "Spanish": "La paciente vive en Sevilla y trabaja de enfermera.",
    "Italian": "Il paziente vive a Torino e lavora in banca.",
    "Dutch": "De patiënt woont in Utrecht en werkt als leraar.",
    "Polish": "Pacjent mieszka w Krakowie i pracuje jako nauczyciel.",
    "Portuguese": "O paciente mora em Lisboa e trabalha como professor.",
    "Swedish": "Patienten bor i Malmö och arbetar som lärare.",
    "Turkish": "Hasta Ankara'da yaşıyor ve öğretmen olarak çalışıyor.",
    "Vietnamese": "Bệnh nhân sống ở Hà Nội và làm giáo viên.",
    "Indonesian": "Pasien tinggal di Jakarta dan bekerja sebagai guru.",
    "Swahili": "Mgonjwa anaishi Nairobi na anafanya kazi ya ualimu.",
    "Hungarian": "A beteg Budapesten él, és tanárként dolgozik.",
    "Welsh": "Mae'r claf yn byw yng Nghaerdydd ac yn gweithio fel athro.",
    "Russian": "Больная Мария Орлова родилась 3 мая 1961 года в Туле.",
    "Ukrainian": "Хвора Оксана Бондар народилася у Полтаві.",
    "Greek": "Η Ελένη Αντωνίου ζει στα Χανιά.",
    "Arabic": "تسكن المريضة ليلى حداد في حلب.",
    "Hebrew": "החולה נולד בחיפה.",
    "Hindi": "रोगी पुणे में रहता है।",
    "Thai": "ผู้ป่วยอาศัยอยู่ที่เชียงใหม่",
    "Korean": "환자 박지훈 씨는 부산에 산다.",
    "Japanese": "患者の佐藤健さんは札幌市に住んでいます。",
    "Chinese": "患者李小龙，男，四十岁，住在广州。",
}
ENGLISH = [
    "",
    "ok",
    "Ngô Đình Khải, Szabó Katalin, José María Núñez de la Vega",
    "Marguerite Adaeze Holloway-Okoro",
    "Pt c/o SOB, hx COPD/T2DM; amox 500mg tds po 7/7, omeprazole 20mg od, bendroflumethiazide, levothyroxine",
    "aripiprazole quetiapine olanzapine risperidone clozapine sertraline citalopram",
    "Escherichia coli, Staphylococcus aureus and Pseudomonas aeruginosa were isolated from sputum.",
    "res ipsa loquitur, inter alia, mutatis mutandis, stare decisis et non quieta movere",
    "α-fetoprotein 1,482 μg/L, β-blocker stopped, ΔΔCt 2.1, 4 μΩ, 10 Å, ½ tab",
    "wassup m8 lol gonna b l8 srry xx ¯\\_(ツ)_/¯",
    "He walked down the rue de la Paix with his son and drank a café au lait.",
    "Mme de la Tour met Mr Jan van den Berg and Ms van den Berg-Claes in Antwerp (Anvers).",
    "def main(argv): return sys.exit(args.parse())",
    "pid_sha1=9b74c9897bac770ffc029102a200c5de6fd4b3a1 dx=E11.9 host=db01.intra.example",
    "The ﬁrst ofﬁcer, 𝐣𝐨𝐡𝐧, sat on the ¼-deck.",
]
LETTER = "Dear colleague,\n\nthank you for the letter, which I enclose.\n\n{}\n\nYours sincerely\n"


@pytest.mark.parametrize("text", FOREIGN.values(), ids=FOREIGN)
def test_another_language_is_refused_alone_and_in_a_letter(text: str) -> None:
    for whole, line in ((text, 1), (LETTER.format(text), 5)):
        with pytest.raises(InputError, match=f"line {line} is .*nothing written") as caught:
            sanitize(whole)
        assert text[:20] not in str(caught.value)


@pytest.mark.parametrize("text", FOREIGN.values(), ids=FOREIGN)
def test_a_passage_is_hidden_as_a_block_by_setting(text: str) -> None:
    release = sanitize(LETTER.format(text), policy={"unread": "label"})
    assert release.text == LETTER.format("[PASSAGE 1]")


@pytest.mark.parametrize("text", ENGLISH)
def test_english_is_read(text: str) -> None:
    assert passages(text) == []


def test_a_name_in_other_letters_within_english_is_hidden_like_any_name() -> None:
    release = sanitize("The tenor Ервеник (李納) sang well and went home to his family.")
    assert "Ервеник" not in release.text
    assert "李納" not in release.text
    assert release.text.endswith("sang well and went home to his family.")


def test_what_is_kept_by_setting_stands_but_for_what_is_found_in_it() -> None:
    text = "Der Patient wohnt in Bad Tölz und ist unter max@example.org zu erreichen."
    release = sanitize(text, policy={"unread": "keep", "detect": ["patterns"]})
    assert release.text == text.replace("max@example.org", "[EMAIL 1]")


def test_a_table_with_a_text_in_another_language_is_refused() -> None:
    from sfumato.policy import load
    from sfumato.protect.tables.recognition import PolicyRecogniser

    with pytest.raises(InputError, match="a text of the table: line 1 is in Cyrillic letters"):
        PolicyRecogniser(load("default")).texts([FOREIGN["Russian"]])


@pytest.mark.parametrize(
    ("name", "data", "released"),
    [
        (
            "de.json",
            '[{"note":"Иван живёт в Омске","x":1,"y":true},'
            '{"note":"Ich bin krank und müde und möchte nach Hause gehen.","x":2,"y":null}]',
            '[{"note":"[PASSAGE 1]","x":1,"y":true},{"note":"[PASSAGE 2]","x":2,"y":null}]',
        ),
        (
            "k.jsonl",
            '{"diagnosis":"Пациент болен","id":"x"}\n',
            '{"diagnosis":"[PASSAGE 1]","id":"x"}\n',
        ),
        ("k.jsonl", '{"диагноз":"Пациент болен"}\n', '{"[PASSAGE 1]":"[PASSAGE 1]"}\n'),
    ],
)
def test_names_of_fields_and_numbers_do_not_go_with_a_passage(
    name: str, data: str, released: str
) -> None:
    document = formats.parse(data.encode(), name=name, format=formats.format_of(Path(name)))
    rules = {"detect": ["patterns"], "replace": {"*": "label"}, "unread": "label"}
    assert sanitize(document, rules).data.decode() == released
