"""Labels end where things do: of a sentence, a column, a title and what somebody owns nothing goes with a name."""

from __future__ import annotations

import pytest

from sfumato.pipeline import Sanitizer


@pytest.fixture(scope="module")
def released() -> Sanitizer:
    return Sanitizer("default")


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("She let 7 Fern Close, Wigton. It has three rooms.", "She let [ADDRESS 1]. It has three rooms."),
        ("I saw 31 Abbey Rd. Then I left.", "I saw [ADDRESS 1]. Then I left."),
        ("Dr Tomasz Rowe came. Dr Rowe saw Ann and her husband.", "Dr [PERSON 1] came. Dr [PERSON 1] saw [PERSON 2] and her husband."),
        ("Ask [Ann Lee](mailto:ann@mail.example) now.", "Ask [[PERSON 1]](mailto:[EMAIL 1]) now."),
        ("We had a wedding in Accra. ask Wanjiru", "We had a wedding in Ghana. ask [PERSON 1]"),
        ("Site: Kwara Mills Ltd      Review date: 2024", "Site: [COMPANY 1]      Review date: 2024"),
        ("Results for FY22/23 and Q3 FY2024", "Results for FY22/23 and Q3 FY2024"),
        ("Mr Ed Roe\nPO Box 71\nAda, OK 74820\n\nRE: loan", "Mr [PERSON 1]\n[ADDRESS 1]\n\nRE: loan"),
        ("Ann Roe\n9 Juniper Ct, Apt 2\nEugene, OR 97401", "[PERSON 1]\n[ADDRESS 1]"),
    ],
)  # fmt: skip
def test_a_thing_ends_with_its_sentence_or_column(
    text: str, release: str, released: Sanitizer
) -> None:
    assert released(text).text == release


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("They took her niece May's Kindle.", "They took her niece [PERSON 1]'s Kindle."),
        ("her friend Ann O'Shea's car", "her friend [PERSON 1]'s car"),
    ],
)
def test_what_somebody_has_stays(text: str, release: str, released: Sanitizer) -> None:
    assert released(text).text == release


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("MRS JUSTICE ODUYA heard it.", "MRS JUSTICE [PERSON 1] heard it."),
        ("THE HON'BLE MR JUSTICE K. VENKATARAO", "THE HON'BLE MR JUSTICE [PERSON 1]"),
        ("Officer: Const. Piers Holloway, badge 5127", "Officer: Const. [PERSON 1], badge [ID 1]"),
        ("ask for dr Obi-Hale not the locum", "ask for dr [PERSON 1] not the locum"),
        ("I told Sr. Philomena and Fr. Quill.", "I told Sr. [PERSON 1] and Fr. [PERSON 2]."),
        (
            "by his teacher, Múinteoir Niamh, for reading",
            "by his teacher, Múinteoir [PERSON 1], for reading",
        ),
    ],
)
def test_a_title_that_many_bear_stays(text: str, release: str, released: Sanitizer) -> None:
    assert released(text).text == release


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("He goes to Lycée Saint-Exupéry.", "He goes to [SCHOOL 1]."),
        ("Coláiste Bhríde, Escuela San Martín", "[SCHOOL 1], [SCHOOL 2]"),
        ("a teacher at Wollombin Flats High", "a teacher at [SCHOOL 1]"),
        ("His teacher at Marsdell Juniors reports", "His teacher at [SCHOOL 1] reports"),
        ("She works for High Peak Ltd.", "She works for [COMPANY 1]."),
        ("wedding at St Cuthbert's on Sunday", "wedding at [ORGANISATION 1] on Sunday"),
        ("She was ward sister at St Finbar's.", "She was ward sister at [HOSPITAL 1]."),
        ("d/c from Thornfield General today", "d/c from [HOSPITAL 1] today"),
        (
            "Site: Agege depot, Lagos State     Review: 4",
            "Site: [PLACE 1] depot, Lagos State     Review: 4",
        ),
        ("For queries 020 913 0188", "For queries [PHONE 1]"),
        ("Mum (Bríd) 087 412 0093", "Mum ([PERSON 1]) [PHONE 1]"),
        ("I rang him on extn 4471.", "I rang him on extn [PHONE 1]."),
    ],
)
def test_a_label_says_what_the_words_say(text: str, release: str, released: Sanitizer) -> None:
    assert released(text).text == release


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("OWEN MARLOW-TEAGUE, claimant. Mr Marlow-Teague and his wife Joy came. Mrs Marlow-Teague spoke.",
         "[PERSON 1], claimant. Mr [PERSON 1] and his wife [PERSON 2] came. Mrs [PERSON 2] spoke."),
        ("Mr Rao and his wife Priya Nair came.", "Mr [PERSON 1] and his wife [PERSON 2] came."),
        ("Tyrone Bell came. When Mum left, T went quiet.", "[PERSON 1] came. When Mum left, [PERSON 1] went quiet."),
        ("Tyrone and Tina came. T went quiet.", "[PERSON 1] and [PERSON 2] came. [NAME 1] went quiet."),
        ("Pupil: Dakota (Dee) Penrose, 15. Dakota cried.", "Pupil: [PERSON 1], 10-19. [PERSON 1] cried."),
        ("Ask Jo (Georgia) Pascoe. Jo knows.", "Ask [PERSON 1]. [PERSON 1] knows."),
        ('With love, Henrietta ("Dolly" to you). Dolly rang.', 'With love, [PERSON 1] ("[PERSON 1]" to you). [PERSON 1] rang.'),
        ("From: IT Helpdesk\nTo: HR Grievances\nCc: Legal Team", "From: IT Helpdesk\nTo: HR Grievances\nCc: Legal Team"),
    ],
)  # fmt: skip
def test_forms_of_one_name_are_one_person(text: str, release: str, released: Sanitizer) -> None:
    assert released(text).text == release


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("Age: 8 yrs 5 mths", "Age: 0-9 yrs"),
        ("He is aged forty-one years and two months.", "He is aged 40-49 years."),
        ("She is 4y 3m old.", "She is 0-9y old."),
        ("He was assessed when aged 6;11.", "He was assessed when aged 0-9."),
        ("a girl of 2 1/2 years", "a girl of 0-9 years"),
        ("Baby Zeb is 7 months old.", "Baby [PERSON 1] is under 2 years old."),
        (
            "a 9-week-old boy and a 30-month-old girl",
            "an under-2-year-old boy and a 0-9-year-old girl",
        ),
    ],
)
def test_an_age_with_months_is_one_of_years(text: str, release: str, released: Sanitizer) -> None:
    assert released(text).text == release


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("We went, meself and my brother Enda.", "We went, meself and my brother [PERSON 1]."),
        (
            "can you ring the dentist tmrw, 0191 498 0221",
            "can you ring the dentist tmrw, [PHONE 1]",
        ),
    ],
)
def test_words_of_chats_and_dialects_are_no_names(
    text: str, release: str, released: Sanitizer
) -> None:
    assert released(text).text == release


def test_a_month_and_a_day_are_a_date_where_a_word_asks_for_one(released: Sanitizer) -> None:
    text = "Seen 03/29/2024. Labs 3/22: Hgb 10.4, 3/22 of tubes failed. MRI 11/30 neg."
    release = "Seen 2024. Labs [DATE 1]: Hgb 10.4, 3/22 of tubes failed. MRI [DATE 2] neg."
    assert released(text).text == release


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("He is at HMP Stockmoor.", "He is at [PRISON 1]."),
        ("HHJ Rosalind Crane sat.", "HHJ [PERSON 1] sat."),
        ("the yacht MERRY LARK sank", "the yacht [DETAIL 1] sank"),
        ("She met him at the Corn Exchange in 1953.", "She met him at the [NAME 1] in 1953."),
        ("Ring 01872 250000 ext 4412.", "Ring [PHONE 1]."),
        (
            "They had three: Lesley, Keith and Sue.",
            "They had three: [PERSON 1], [PERSON 2] and [PERSON 3].",
        ),
        ("Samira, 29 💃 physio", "[PERSON 1], 20-29 💃 physio"),
        (
            "Present: Isla Buchan, Shona Iqbal. Next: May. IB/SI",
            "Present: [PERSON 1], [PERSON 2]. Next: May. [PERSON 1]/[PERSON 2]",
        ),
        ("Lifting op: Bogdan; rang 999", "Lifting op: [PERSON 1]; rang 999"),
        ("Re: Gethin Pryce-Jones. GPJ was off work.", "Re: [PERSON 1]. [PERSON 1] was off work."),
    ],
)
def test_what_was_found_in_parts_or_by_letters_is_one_thing(
    text: str, release: str, released: Sanitizer
) -> None:
    assert released(text).text == release


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("On the phone on the 24th you said so.", "On the phone on [DATE 1] you said so."),
        ("Dated this the 9th day of December, 2022", "Dated this 2022"),
        ("BP 128/76. Labs 3/22: Hgb 10.4", "BP 128/76. Labs [DATE 1]: Hgb 10.4"),
        ("kofi_dev  21:58\nall good, 3 pods done", "[USERNAME 1]  21:58\nall good, 3 pods done"),
    ],
)
def test_what_stands_around_a_label_fits_it(text: str, release: str, released: Sanitizer) -> None:
    assert released(text).text == release


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("One patient (MRN 40013377) moved.", "One patient (MRN [MRN 1]) moved."),
        ("District use only: SSID 7740018265", "District use only: SSID [ID 1]"),
        ("Dear Editor,\nYour piece on Opal Reyes was kind.", "Dear Editor,\nYour piece on [PERSON 1] was kind."),
        ("Plan: see Tuesday. Liaise w/ SW Mrs P. Keast.", "Plan: see Tuesday. Liaise w/ SW Mrs [PERSON 1]."),
        ("Jock Muir in Dispatch says so.", "[PERSON 1] in Dispatch says so."),
        ("Ward 7 – handover, Thurs am", "Ward 7 – handover, Thurs am"),
        ("From: Nadia Cromwell-Stein, Paraplanner", "From: [PERSON 1], Paraplanner"),
    ],
)  # fmt: skip
def test_a_word_that_names_a_field_a_trade_or_an_office_stands(
    text: str, release: str, released: Sanitizer
) -> None:
    assert released(text).text == release


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("Visits x6, next Tuesday 16th, 10.30.", "Visits x6, [DATE 1], 10.30."),
        ("Seen Monday the twentieth of August, nineteen forty-five.", "Seen 1945."),
        ("HEALTH VISITOR – 8-12 MONTH REVIEW", "HEALTH VISITOR – 8-12 MONTH REVIEW"),
        ("Last seen Thurs 8 Feb, 10.15, Bolton Sq, by bus.", "Last seen [DATE 1], 10.15, [ADDRESS 1], by bus."),
        ("Bed 3. Sunny Varghese, 3/12 old. Adm 1/3.", "Bed 3. [PERSON 1], [AGE 1]. Adm [DATE 1]."),
        (
            "Nov 18 23:41:07 edge1 sshd[20871]: error: PAM: Authentication failure",
            "[DATE 1] 23:41:07 edge1 sshd[20871]: error: PAM: Authentication failure",
        ),
    ],
)  # fmt: skip
def test_a_date_is_one_and_an_hour_is_none(text: str, release: str, released: Sanitizer) -> None:
    assert released(text).text == release


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("EpiPens and Jonah's Epilim travel with me.", "Jonah"),
        ("He got her autograph, and our Grace is named after her.", "Grace"),
        ("he failed Grace W for a comma", "Grace W"),
        ("EXHIBIT KEAST 40013377 was shown.", "KEAST"),
    ],
)
def test_a_name_that_no_list_has_is_hidden_where_only_a_name_stands(
    text: str, name: str, released: Sanitizer
) -> None:
    assert name not in released(text).text


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("His driver, Blessing Okafor-Pam 'm', 29yrs, left.", "His driver, [PERSON 1] 'm', 20-29yrs, left."),
        ("Held by Teams, 1.30 pm. By God's grace I saw Mother Teresa twice.",
         "Held by Teams, 1.30 pm. By God's grace I saw Mother Teresa twice."),
        ("You may write to the governors: Clerk, Ms D. Prior.", "You may write to the governors: Clerk, Ms [PERSON 1]."),
    ],
)  # fmt: skip
def test_what_stands_beside_a_name_is_whole(text: str, release: str, released: Sanitizer) -> None:
    assert released(text).text == release


def test_initials_that_are_a_rank_too_are_hidden_where_somebody_tells(released: Sanitizer) -> None:
    text = "Female is Destiny Clarke. DC discloses he held her. PC Rook came."
    assert "DC" not in released(text).text
