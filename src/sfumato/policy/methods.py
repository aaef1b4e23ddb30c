"""The replacement methods that a policy may name, with their settings."""

from __future__ import annotations

import re
from typing import Annotated, Literal, get_args

from pydantic import Field, StringConstraints, model_validator

from sfumato.plugins import Options


class Label(Options):
    """The kind in brackets: `[PERSON]`."""

    how: Literal["label"] = "label"
    text: str = Field("[{kind}]", description="The label; {kind} stands for the kind.")


class Mask(Options):
    """Every letter and digit covered, the length and the punctuation kept: `****-****`."""

    how: Literal["mask"] = "mask"
    char: Annotated[str, StringConstraints(min_length=1, max_length=1)] = Field(
        "*", description="What covers a character."
    )
    keep_last: int = Field(0, ge=0, le=4, description="Letters and digits left at the end.")


class Remove(Options):
    """Nothing is left."""

    how: Literal["remove"] = "remove"


class Keep(Options):
    """The term stays as it is."""

    how: Literal["keep"] = "keep"


class Bucket(Options):
    """A number becomes the range it lies in: 47 -> 40-49."""

    how: Literal["bucket"] = "bucket"
    width: int = Field(10, ge=2, description="The range's width.")
    top: int | None = Field(
        None,
        ge=1,
        description="From this number on there is one open range, e.g. 90: `90 or older`.",
    )
    below_top: Literal["bucket", "keep"] = Field(
        "bucket", description="What happens below `top`: ranges, or the number as it is."
    )


class Reduce(Options):
    """A date loses its finer parts: 14 May 2004 -> May 2004, 2004 or the 2000s."""

    how: Literal["reduce"] = "reduce"
    to: Literal["month", "year", "decade"] = Field(
        "year", description="The finest part that stays."
    )


class Truncate(Options):
    """A postcode or code keeps its first characters: 02139 -> 021**."""

    how: Literal["truncate"] = "truncate"
    keep: int = Field(3, ge=0, description="Letters and digits kept at the front.")
    sparse_zip: bool = Field(
        False, description="ZIP areas of fewer than 20,000 people become 000 (HIPAA safe harbor)."
    )


class Shift(Options):
    """Every date moves by one secret number of days: order and distances stay."""

    how: Literal["shift"] = "shift"
    days: int = Field(365, ge=7, le=36525, description="The largest move, either way.")
    per: Literal["document", "person", "corpus"] = Field(
        "document", description="What shares one offset."
    )
    person: str | None = Field(
        None,
        description="With `per: person`: a pattern on the document's name; group 1 is the person.",
    )

    @model_validator(mode="after")
    def _person_needs_a_pattern(self) -> Shift:
        if self.per == "person" and not self.person:
            raise ValueError("`per: person` needs `person`, a pattern whose group 1 is the person")
        if self.person is not None:
            try:
                groups = re.compile(self.person).groups
            except re.error as error:
                raise ValueError(f"`person` is not a pattern: {error}") from None
            if groups < 1:
                raise ValueError("`person` needs a group: the part in (…) is the person")
        return self


class Pseudonym(Options):
    """A numbered name, by order of appearance in the document: `Person 1`."""

    how: Literal["pseudonym"] = "pseudonym"


class Surrogate(Options):
    """An invented value of the same kind and shape, the same one in the whole corpus."""

    how: Literal["surrogate"] = "surrogate"
    locale: str = Field("en_US", description="Where invented names come from (Faker's locales).")


class Hash(Options):
    """A keyed hash (HMAC-SHA-256): the same for the same term, useless without the key."""

    how: Literal["hash"] = "hash"
    length: int = Field(12, ge=8, le=64, description="Hexadecimal digits kept.")


class Encrypt(Options):
    """Encrypted in place (AES-SIV): whoever has the key reads it back."""

    how: Literal["encrypt"] = "encrypt"


class Generalise(Options):
    """A more general word, from the taxonomies: Boston -> Massachusetts. A label where none is known."""

    how: Literal["generalise"] = "generalise"
    least: int = Field(
        2,
        ge=2,
        description="How many things the word may stand for, at least: the first rung of the term's ladder "
        "with so many is taken.",
    )


AnyMethod = (
    Label
    | Mask
    | Remove
    | Keep
    | Bucket
    | Reduce
    | Truncate
    | Shift
    | Pseudonym
    | Surrogate
    | Hash
    | Encrypt
    | Generalise
)
Replacement = Annotated[AnyMethod, Field(discriminator="how")]
MODELS: tuple[type[Options], ...] = get_args(AnyMethod)
METHODS = tuple(str(model.model_fields["how"].default) for model in MODELS)
