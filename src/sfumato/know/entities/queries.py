"""A query for PostgreSQL without the texts that it writes out, the schemas in which it calls something, and
what is cast in it where no cast is written.

The tokens are those of PostgreSQL's own scan.l, with `standard_conforming_strings` on.
"""

from __future__ import annotations

import re

from sfumato.errors import InputError

# Of the type that a text has before it is known what becomes of it. Of NULL the server makes no value. Behind
# the name of a type (`own.word 'x'`) it is an error, and no call.
_NO_TEXT = "CAST(NULL AS pg_catalog.unknown)"
# Behind these, written without a schema, stand texts of the system's own types.
_SYSTEM = {
    *("date", "time", "timestamp", "timestamptz", "timetz", "zone", "interval"),
    *("bool", "boolean", "inet", "integer", "json", "jsonb", "numeric", "text", "uuid", "xml"),
}
_LETTER = r"a-z_\x80-\U0010ffff"
_TOKEN = re.compile(
    r"(?P<space>[ \t\n\r\f\v]+|--[^\n\r]*)|(?P<quote>(?:[ebnx]|u&)?')|(?P<comment>/\*)"
    rf"|(?P<dollar>\$(?:[{_LETTER}][{_LETTER}0-9]*)?\$)"
    rf"|(?!u&\")(?:(?P<name>\"(?:[^\"]|\"\")*\"|[{_LETTER}][{_LETTER}0-9$]*)|[^\"\0])",
    re.DOTALL | re.IGNORECASE | re.ASCII,
)
_COMMENT, _QUOTE = re.compile(r"/\*|\*/"), re.compile("''|'")
_ESCAPED_QUOTE = re.compile(r"''|\\.|'", re.DOTALL)
_SPACE = re.compile(r"[ \t\n\r\f]*")
# What the server has read, in its own words (nodes/outfuncs.c), and where a node there says its type.
_WORD = re.compile(r"[(){}]|(?:\\.|[^\s(){}\\])+", re.DOTALL)
_TYPE = {
    *("vartype", "consttype", "paramtype", "aggtype", "wintype", "refrestype", "type", "typeId"),
    *("funcresulttype", "opresulttype", "resulttype", "casetype", "coalescetype", "minmaxtype"),
    *("array_typeid", "row_typeid"),
}
_CAST = {"relabelformat", "funcformat", "coerceformat", "convertformat", "coercionformat"}


def without_texts(query: str) -> tuple[str, list[str]]:
    """The query with a NULL for each text, and the names of schemas in which it calls something.

    >>> without_texts("SELECT own.norm(a) FROM own.t WHERE b = $$x$$ AND c > DATE '2020-01-01'")[0]
    "SELECT own.norm(a) FROM own.t WHERE b = CAST(NULL AS pg_catalog.unknown) AND c > DATE '2020-01-01'"
    >>> without_texts("SELECT own.norm(a) FROM own.t")[1]
    ['own']
    """
    made, tokens, at = [], ["", ""], 0
    while at < len(query):
        token = _TOKEN.match(query, at)
        end = token.end() if token else 0
        if token and (mark := token["dollar"]):
            end = query.find(mark, end)
            end = end + len(mark) if end > 0 else 0
        elif token and (mark := token["quote"]):
            end = _behind_text(query, end, _ESCAPED_QUOTE if mark in ("e'", "E'") else _QUOTE)
        elif token and token["comment"]:
            end = _behind_comment(query, end)
        if not token or not end:
            raise InputError(
                "a query for the entity database: a text, a name or a comment has no end, or a name is "
                "written with U&; nothing was read"
            )
        said = query[at:end]
        is_text = token["dollar"] or (token["quote"] and said[0] not in "BNXbnx")  # bits stay
        if is_text and (tokens[-1].lower() not in _SYSTEM or tokens[-2] == "."):
            said = _NO_TEXT
        made.append(said)
        if not token["space"] and not token["comment"]:
            tokens.append(said)
        at = end
    return "".join(made), _called(tokens)


def _behind_text(query: str, at: int, quote: re.Pattern[str]) -> int:
    """Where a text ends that may go on behind the end of a line; 0 where it does not."""
    while mark := quote.search(query, at):
        at = mark.end()
        if mark[0] == "'":
            space = _SPACE.match(query, at)
            if space is None or not {"\n", "\r"} & {*space[0]} or query[space.end() :][:1] != "'":
                return at
            at = space.end() + 1
    return 0


def _behind_comment(query: str, at: int) -> int:
    """Where a comment ends, and all within it; 0 where it does not."""
    depth = 1
    for mark in _COMMENT.finditer(query, at):
        depth += 1 if mark[0] == "/*" else -1
        if not depth:
            return mark.end()
    return 0


def _called(tokens: list[str]) -> list[str]:
    """Every `x` of `x.name(`, also of a type that is written like a function, and of `OPERATOR(x.`, as it is
    written: what small letters are is the server's to say."""
    operators = any(t.lower() == "operator" for t in tokens)
    return [
        first
        for first, dot, name, bracket in zip(
            tokens, tokens[1:], tokens[2:], [*tokens[3:], ""], strict=False
        )
        if dot == "." and _is_name(first) and (bracket == "(" or (operators and not _is_name(name)))
    ]


def _is_name(token: str) -> bool:
    found = _TOKEN.fullmatch(token)
    return found is not None and found["name"] is not None


def implicit_casts(tree: str) -> list[str]:
    """The types of all that is cast though no cast is written; "" where the type is not said.

    >>> implicit_casts("{RELABELTYPE :arg {CASETESTEXPR :typeId 7} :resulttype 25 :relabelformat 2}")
    ['7']
    """
    found: list[str] = []
    open_nodes: list[dict[str, str]] = [{}]
    fields = [""]  # of each open node, the one that is being read
    for word in _WORD.findall(tree):
        if word == "{":
            open_nodes.append({})
            fields.append("")
        elif word == "}":
            node = open_nodes.pop()
            fields.pop()
            if "2" in (node.get(name) for name in _CAST):
                found.append(node.get("of", ""))
            if fields[-1] in ("arg", "args"):
                open_nodes[-1].setdefault("of", next((node[t] for t in _TYPE if t in node), ""))
        elif word[0] == ":":
            fields[-1] = word[1:]
        else:
            open_nodes[-1].setdefault(fields[-1], word)
    return found
