"""What a place in PostgreSQL consists of, and who could change what it says.

What runs when a place is read runs with the rights of whoever reads. So a place is read only where all of it
is of a kind that is known: tables, views, types made of others, functions whose body the server has read
(`BEGIN ATOMIC`), whatever an extension has made, and of the system's functions those that look at their
arguments alone (`IMMUTABLE`) and a few beside. Of all else, such as an operator, nobody can say what it will
run or look up. What is known belongs to a superuser, the database's owner, the service, or whoever owns the
tables that the settings name, and to no reader: rights are not told by whoever they are about, which of a
group are all who belong to it, nor by the system's catalogues, where whoever makes or names something writes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.know.entities.logins import Again, Pinned, driver, host
from sfumato.know.entities.queries import implicit_casts, without_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from psycopg import Connection

# Who owns a schema may drop what is in it, and put something else there.
_OWNED = (
    "pg_class.relowner pg_namespace.nspowner pg_proc.proowner pg_type.typowner pg_collation.collowner "
    "pg_statistic_ext.stxowner pg_ts_config.cfgowner pg_ts_dict.dictowner pg_extension.extowner"
)
_OWNERS = " UNION ALL ".join(
    f"SELECT 0, class, id, {owner}, ', which belongs to ' FROM used JOIN {catalog} "
    f"ON class = '{catalog}'::regclass AND id = oid"
    for catalog, _, owner in (of.partition(".") for of in _OWNED.split())
)
# The statement's own view of the catalogues decides: what describes objects may know them a moment longer.
_GONE = " UNION ALL ".join(
    f"SELECT 9, class, id, 'what was dropped' FROM used WHERE class = '{catalog}'::regclass "
    f"AND NOT EXISTS (SELECT FROM {catalog} WHERE oid = id)"
    for catalog in (of.partition(".")[0] for of in _OWNED.split())
)
# Of these kinds is what is used, unless an extension has made it.
_KINDS = (
    "pg_class,pg_rewrite,pg_policy,pg_constraint,pg_attrdef,pg_namespace,pg_type,pg_cast,pg_proc,pg_collation,"
    "pg_statistic_ext,pg_ts_config,pg_ts_dict,pg_extension"
)
# What no place depends on, and any may run: what others have put beside the system's own, as operators that
# may be swapped for these, in their operator families, and as how their types are sorted, or cast to what we
# ask for. What runs as something is made (`judge_query`, `as_role`) has to be no stranger's: event triggers,
# by the owner of their function alone: only superusers make them, and what it runs, it runs for them, too.
_EVERYWHERE = " UNION ALL ".join(
    f"SELECT '{catalog}'::regclass::oid, x.id, true, {runs} FROM ({of}) AS x (id, beside) "
    "WHERE x.beside < 16384 AND x.id >= 16384 AND NOT EXISTS (SELECT FROM pg_depend "
    f"WHERE classid = '{catalog}'::regclass AND objid = x.id AND deptype = 'e')"
    for catalog, runs, of in (
        (
            *("pg_operator", True),
            "SELECT unnest(ARRAY[oprcom, oprnegate]), oid FROM pg_operator",
        ),
        ("pg_operator", True, "SELECT amopopr, amopfamily FROM pg_amop"),
        ("pg_proc", True, "SELECT amproc, amprocfamily FROM pg_amproc"),
        ("pg_opclass", True, "SELECT oid, opcintype FROM pg_opclass WHERE opcdefault"),
        ("pg_cast", True, "SELECT oid, castsource FROM pg_cast WHERE casttarget IN (25, 701)"),
        ("pg_event_trigger", False, "SELECT oid, 0 FROM pg_event_trigger WHERE evtenabled <> 'D'"),
    )
)
# What hangs on something that is used, and whether it runs when that is read. What fills a table (a trigger,
# a default, the query of a materialized view) has run before, with other rights; checks are not asked
# (`logins.pin`), and policies only with the role of a reader's.
_PARTS = " UNION ALL ".join(
    f"SELECT '{catalog}'::regclass, {id}, u.whole, u.runs AND {runs} FROM {of or catalog} WHERE {condition}"
    for catalog, id, of, condition, runs in (
        (
            *("pg_rewrite", "oid", "", "ev_class = u.id"),
            "ev_type = '1' AND NOT EXISTS (SELECT FROM pg_class WHERE oid = u.id AND relkind = 'm')",
        ),
        (
            *("pg_policy", "oid", "", "polrelid = u.id"),
            "{asked}",
        ),
        # what is read is cast to text, and to nothing that somebody else has thought of
        ("pg_cast", "oid", "", "castsource = u.id AND casttarget < 16384", "true"),
        (
            "pg_constraint",
            "oid",
            "",
            "contypid = u.id OR contype = 'c' AND conrelid = u.id",
            "contypid <> 0",
        ),
        (
            "pg_opclass",
            "oid",
            "",
            "opcintype IN (SELECT unnest(ARRAY[oid, typarray]) FROM pg_type WHERE oid = u.id)",
            "true",
        ),
        (
            *("pg_operator", "o.id", "pg_operator, unnest(ARRAY[oprcom, oprnegate]) AS o (id)"),
            *("oid = u.id AND o.id >= 16384", "true"),
        ),
        ("pg_opfamily", "amopfamily", "pg_amop", "amopopr = u.id AND amopfamily >= 16384", "true"),
        ("pg_operator", "amopopr", "pg_amop", "amopfamily = u.id AND amopopr >= 16384", "true"),
        ("pg_proc", "amproc", "pg_amproc", "amprocfamily = u.id AND amproc >= 16384", "true"),
        ("pg_class", "typrelid", "pg_type", "oid = u.id AND typrelid <> 0", "true"),
        # Whole rows may be cast, as to_json does
        ("pg_type", "oid", "", "typrelid = u.id", "true"),
        ("pg_class", "inhrelid", "pg_inherits", "inhparent = u.id AND u.whole", "true"),
        ("pg_class", "indexrelid", "pg_index", "indrelid = u.id", "true"),
        ("pg_statistic_ext", "oid", "", "stxrelid = u.id", "true"),
        ("pg_trigger", "oid", "", "tgrelid = u.id AND NOT tgisinternal", "false"),
        ("pg_attrdef", "oid", "", "adrelid = u.id", "false"),
    )
)
# That something calls a function of the system's own is written down nowhere but in what the server has read.
_TREES = " UNION ALL ".join(
    f"SELECT {of}, {tree}::text FROM used u "
    f"JOIN {catalog} c ON u.runs AND u.class = '{catalog}'::regclass AND c.oid = u.id AND c.oid >= 16384"
    for catalog, tree, of in (
        ("pg_rewrite", "ev_action", "'pg_class'::regclass, c.ev_class"),
        ("pg_policy", "polqual", "u.class, u.id"),
        ("pg_constraint", "conbin", "u.class, u.id"),
        ("pg_proc", "prosqlbody", "u.class, u.id"),
        ("pg_proc", "proargdefaults", "u.class, u.id"),
    )
)
# What looks at more than its arguments, and neither looks names up nor asks who has logged in, and how: the
# role that asks, the time, and what values look like.
_KNOWN = (
    "^(current_user|pg_has_role|enum_(first|last|range)|now|age|clock_timestamp|transaction_timestamp|"
    "statement_timestamp|date|time|timetz|timestamp|timezone|overlaps|extract|date_part|date_trunc|"
    "generate_series|to_char|to_date|to_number|to_timestamp|.*timestamptz.*|concat|concat_ws|format|"
    "anytextcat|textanycat|array_to_string|quote_literal|quote_nullable|(array_|row_)?to_jsonb?|"
    "jsonb?_(object_)?agg|jsonb?_build_(array|object))$"
)
_WRITING = "'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER', 'INSERT, UPDATE'"
_ASKED = (
    "%(policies)s AND polcmd IN ('r', '*') AND EXISTS (SELECT FROM unnest(polroles) AS o (role) "
    "CROSS JOIN asking a WHERE o.role = 0 OR pg_has_role(a.role, o.role, 'MEMBER'))"
)


def _closure(asked: str) -> str:
    """All that a place uses, where the policies run of which this is true."""
    return f"""
  (SELECT 'pg_class'::regclass::oid, oid, true, true FROM place UNION ALL {_EVERYWHERE})
  UNION
  SELECT next.* FROM used u CROSS JOIN LATERAL (
    SELECT refclassid, refobjid, u.whole AND NOT EXISTS (
      SELECT FROM pg_inherits WHERE inhrelid = u.id AND inhparent = refobjid), u.runs
    FROM pg_depend WHERE classid = u.class AND objid = u.id AND refclassid <> 'pg_trigger'::regclass
    UNION ALL {_PARTS.replace("{asked}", asked)}
  ) AS next"""


# Types with operators of their own, and those made of them: the system's operators take such values, where
# they take them, for values of another type. What is named by a type in what the server has read.
_OWN = """
WITH RECURSIVE own (id) AS (
  SELECT unnest(ARRAY[oprleft, oprright]) FROM pg_operator
  WHERE oid >= 16384 AND oprnamespace <> 'pg_catalog'::regnamespace
  UNION SELECT made.id FROM own JOIN (
    SELECT oid, unnest(ARRAY[typbasetype, typelem]) FROM pg_type UNION ALL
    SELECT unnest(ARRAY[rngtypid, rngmultitypid]), rngsubtype FROM pg_range UNION ALL
    SELECT reltype, atttypid FROM pg_class c JOIN pg_attribute ON attrelid = c.oid
  ) AS made (id, made_of) ON made_of = own.id
) SELECT id::regtype::text FROM own WHERE id >= 16384 AND id = ANY (%s::oid[]) ORDER BY 1 LIMIT 1
"""
_TYPES = re.compile(r":[a-z_]*type(?:id)? ([0-9]+)", re.IGNORECASE)


# All that a place uses. Of the table that a partition is part of, the others are not read (`whole`).
# Tables behind a view, or in a function with its owner's rights, are judged by the policies for that owner.
# Who owns a view has no more rights on the rows behind it than on others: what is written there, is by these.
# A query is read more than once, without its texts, with them, and for a reader: in between, who may make
# things in a schema could make a function, an operator or a type there that its words fit better, also where
# they are only a cast's (`beside`). In a query, operators are the system's: values of a type with its own are
# silently cast to what these compare (`_mixed`). Names are the server's to read: it says which schema one is.
_JUDGED = f"""
WITH RECURSIVE place AS (
  SELECT oid, relowner, relnamespace, relpersistence FROM pg_class
  WHERE oid = to_regclass(nullif(format('%%I.%%I', %(schema)s::text, %(name)s::text), '"".""'))
), reached (class, id, whole, runs) AS ({_closure("true").replace("FROM used u", "FROM reached u")}
), asking (role) AS (
  SELECT oid FROM pg_roles WHERE rolname = %(reader)s::text UNION SELECT r.oid FROM pg_roles r
  WHERE NOT r.rolsuper AND NOT r.rolbypassrls AND r.oid IN (
    SELECT relowner FROM pg_class c JOIN reached u
    ON u.class = 'pg_class'::regclass AND u.id = c.oid AND c.relkind = 'v'
    UNION ALL SELECT proowner FROM pg_proc p JOIN reached u
    ON u.class = 'pg_proc'::regclass AND u.id = p.oid AND p.prosecdef)
), used (class, id, whole, runs) AS ({_closure(_ASKED)}
), named (owner, schema) AS (
  SELECT relowner, CASE WHEN relpersistence <> 't' THEN relnamespace END FROM place
  UNION SELECT c.relowner, CASE WHEN c.oid <> p.oid THEN c.relnamespace END
  FROM place p JOIN pg_rewrite w ON w.ev_class = p.oid
  JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid
  JOIN pg_class c ON d.refclassid = 'pg_class'::regclass AND c.oid = d.refobjid WHERE p.relpersistence = 't'
), stranger (role, called) AS (
  SELECT r.oid, CASE WHEN is_reader THEN 'the reader ' ELSE '' END || quote_literal(r.rolname)
  FROM pg_roles r CROSS JOIN LATERAL (
    SELECT r.rolname IS NOT DISTINCT FROM %(reader)s::text OR pg_has_role(current_user, r.oid, 'MEMBER')
  ) AS i (is_reader)
  WHERE NOT r.rolsuper AND (r.rolname IS NOT DISTINCT FROM %(reader)s::text OR r.rolcanlogin
    AND r.rolname <> current_user
    AND NOT EXISTS (SELECT FROM pg_database WHERE datname = current_database() AND datdba = r.oid)
    AND (is_reader OR NOT EXISTS (SELECT FROM named n WHERE pg_has_role(r.oid, n.owner, 'MEMBER'))))
), written (id, rights, of_columns) AS (
  SELECT id, {_WRITING} FROM used WHERE class = 'pg_class'::regclass
  UNION
  SELECT next.* FROM written o CROSS JOIN LATERAL (
    SELECT w.ev_class, {_WRITING} FROM pg_depend d
    JOIN pg_rewrite w ON d.classid = 'pg_rewrite'::regclass AND w.oid = d.objid
    JOIN pg_class c ON c.oid = w.ev_class AND (has_table_privilege(c.relowner, o.id, o.rights)
      OR has_any_column_privilege(c.relowner, o.id, o.of_columns))
    WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = o.id
    UNION ALL SELECT inhparent, o.rights, o.of_columns FROM pg_inherits WHERE inhrelid = o.id
    UNION ALL SELECT confrelid, 'UPDATE, DELETE', 'UPDATE' FROM pg_constraint
    WHERE contype = 'f' AND conrelid = o.id AND ARRAY[confupdtype, confdeltype] && '{{c,n,d}}'::"char"[]
  ) AS next
), tree (class, id, said) AS MATERIALIZED ({_TREES}
), asked (class, id, relation) AS (
  SELECT 'pg_class'::regclass::oid, oid, oid FROM place
  UNION SELECT class, id, m[1]::oid FROM tree CROSS JOIN regexp_matches(said, ':relid ([0-9]+)', 'g') AS m
  WHERE m[1]::oid <> 'pg_roles'::regclass
    OR said ~ format(':relid %%s [^{{}}]*:selectedCols [(]b[^)]* (7|%%s)[ )]', m[1], (
      SELECT 7 + attnum FROM pg_attribute WHERE attrelid = m[1]::oid AND attname = 'rolconfig'))
), called (class, id, function) AS (
  SELECT t.class, t.id, CASE WHEN m[1] ~ '^SQL' THEN
    CASE WHEN m[2]::int <= 11 OR m[2]::int = 13 THEN 0 ELSE 'session_user()'::regprocedure::oid END
    ELSE coalesce(o.oprcode, m[2]::oid) END
  FROM tree t CROSS JOIN regexp_matches(
    t.said, '(SQLVALUEFUNCTION :op|:funcid|:opno|:aggfnoid|:winfnoid) ([0-9]+)', 'g') AS m
  LEFT JOIN pg_operator o ON m[1] = ':opno' AND o.oid = m[2]::oid
  UNION SELECT t.class, t.id, y.typinput FROM tree t JOIN pg_type y ON y.typname ~ '^_?reg' AND y.oid < 16384
    AND t.said ~ format(':(?!const|[a-z_]*typmod)[a-z_]*typ[a-z_]* ([(]o [0-9 ]*)?%%s[ )]', y.oid)
  UNION SELECT u.class, u.id, c.castfunc FROM used u
  JOIN pg_cast c ON u.runs AND u.class = 'pg_cast'::regclass AND c.oid = u.id
  UNION SELECT u.class, u.id, unnest(ARRAY[aggtransfn, aggfinalfn, aggcombinefn, aggserialfn, aggdeserialfn,
    aggmtransfn, aggminvtransfn, aggmfinalfn]) FROM used u
  JOIN pg_aggregate a ON u.runs AND u.class = 'pg_proc'::regclass AND a.aggfnoid = u.id
), unlocked (id, name) AS (
  SELECT DISTINCT c.oid, CASE WHEN has_table_privilege(c.oid, 'SELECT')
    AND has_schema_privilege(relnamespace, 'USAGE') THEN format('%%I.%%I', nspname, relname) END
  FROM reached u JOIN pg_class c ON u.class = 'pg_class'::regclass AND u.id = c.oid AND u.runs AND u.whole
    AND c.oid >= 16384 AND c.relkind IN ('r', 'p', 'v') AND c.relpersistence <> 't'
    AND c.oid <> ALL (%(held)s::oid[]) JOIN pg_namespace n ON n.oid = c.relnamespace
), beside (rank, class, id, owner, how) AS (
  SELECT 1, 'pg_namespace'::regclass, n.oid, a.grantee, ', where others can be made by '
  FROM pg_namespace n CROSS JOIN aclexplode(coalesce(nspacl, acldefault('n', nspowner))) AS a
  WHERE a.privilege_type = 'CREATE' AND (n.nspname = 'pg_catalog' OR n.oid IN (
    SELECT schema FROM named UNION ALL
    SELECT to_regnamespace(s.said) FROM unnest(%(called)s::text[]) AS s (said) UNION ALL
    SELECT t.typnamespace FROM place p JOIN pg_rewrite w ON p.relpersistence = 't' AND w.ev_class = p.oid
    JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid
    JOIN pg_type t ON d.refclassid = 'pg_type'::regclass AND d.refobjid = t.oid))
), owned (rank, class, id, owner, how) AS MATERIALIZED (
  {_OWNERS} UNION ALL TABLE beside
), acting (owner, called) AS MATERIALIZED (
  SELECT o.owner, max(s.called) FROM (SELECT DISTINCT owner FROM owned) AS o
  JOIN stranger s ON o.owner = 0 OR pg_has_role(s.role, o.owner, 'MEMBER') GROUP BY 1
), verdict (rank, class, id, said) AS (
  SELECT rank, class, id, how || called FROM owned JOIN acting USING (owner)
  UNION ALL
  SELECT 2, 'pg_class'::regclass, c.oid, ', and ' || s.called
    || CASE WHEN s.role = r.oid THEN '' ELSE ' of ' || quote_literal(r.rolname) END || ' may write there'
  FROM written o JOIN pg_class c ON c.oid = o.id AND (c.relkind IN ('r', 'p', 'v', 'f') OR c.relkind = 'S'
    AND EXISTS (SELECT FROM used u WHERE u.runs AND u.class = 'pg_class'::regclass AND u.id = c.oid))
  JOIN pg_roles r ON r.rolname = %(reader)s::text JOIN stranger s ON pg_has_role(s.role, r.oid, 'MEMBER')
  CROSS JOIN LATERAL (SELECT s.role UNION
    SELECT id FROM (SELECT roleid FROM pg_auth_members UNION SELECT 'pg_database_owner'::regrole) AS g (id)
    WHERE pg_has_role(s.role, id, 'MEMBER')) AS m (oid)
  WHERE m.oid = c.relowner AND c.relkind <> 'v'
    OR CASE c.relkind WHEN 'S' THEN has_sequence_privilege(m.oid, c.oid, 'USAGE, UPDATE')
      ELSE has_table_privilege(m.oid, c.oid, o.rights)
        OR has_any_column_privilege(m.oid, c.oid, o.of_columns) END
  UNION ALL
  SELECT 3, u.class, u.id, ', which is on another server' FROM used u
  JOIN pg_class c ON u.runs AND u.class = 'pg_class'::regclass AND c.oid = u.id AND c.relkind = 'f'
  UNION ALL
  SELECT 4, u.class, u.id, ', which is neither the system''s nor an extension''s' FROM used u
  LEFT JOIN pg_type t ON u.class = 'pg_type'::regclass AND t.oid = u.id
  WHERE u.runs AND u.id >= 16384
    AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = u.class AND objid = u.id AND deptype = 'e')
    AND (u.class <> ALL ('{{{_KINDS}}}'::regclass[]::oid[]) OR t.typtype = 'p' OR t.typtype = 'b'
    AND NOT EXISTS (SELECT FROM pg_type WHERE typarray = t.oid))
  UNION ALL
  SELECT 5, u.class, u.id, ', whose body is a text' FROM used u
  JOIN pg_proc p ON u.runs AND u.class = 'pg_proc'::regclass AND p.oid = u.id AND p.oid >= 16384
    AND p.prosqlbody IS NULL AND p.prokind <> 'a' JOIN pg_language l ON l.oid = p.prolang
  WHERE l.lanname NOT IN ('c', 'internal') OR NOT EXISTS (
    SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e')
  UNION ALL
  SELECT 6, c.class, c.id, ', which calls ' || p.oid::regprocedure FROM called c
  JOIN pg_proc p ON p.oid = c.function AND p.provolatile <> 'i'
  WHERE CASE WHEN p.oid < 16384 THEN p.proname !~ '{_KNOWN}'
    ELSE p.prosqlbody IS NULL AND p.prokind <> 'a' END
  UNION ALL
  SELECT 7, u.class, u.id, ', which sets ' || split_part(setting, '=', 1) FROM used u
  JOIN pg_proc p ON u.runs AND u.class = 'pg_proc'::regclass AND p.oid = u.id
  CROSS JOIN unnest(p.proconfig) AS setting WHERE setting !~ '^search_path='
  UNION ALL SELECT 8, class, id, ', which asks ' || relation::regclass FROM asked
  WHERE relation BETWEEN 1 AND 16383
  UNION ALL SELECT 9, class, id, 'what was dropped' FROM used WHERE pg_describe_object(class, id, 0) IS NULL
  UNION ALL {_GONE}
  UNION ALL SELECT 9, 0, 0, 'what was dropped' WHERE %(name)s::text <> '' AND NOT EXISTS (SELECT FROM place)
  UNION ALL SELECT 10, u.class, u.id, ', which this login cannot lock' FROM used u
  JOIN unlocked l ON u.runs AND u.whole AND u.class = 'pg_class'::regclass AND u.id = l.id
), told (rank, class, id, said, called) AS (
  SELECT *, CASE rank WHEN 9 THEN '' ELSE pg_describe_object(class, id, 0) END FROM verdict
)
SELECT CASE WHEN called IS NULL AND rank IS NOT NULL THEN 9 ELSE rank END,
  coalesce(called || said, 'what was dropped'), ARRAY(SELECT name FROM unlocked WHERE name IS NOT NULL),
  ARRAY(SELECT id FROM reached WHERE class = 'pg_proc'::regclass AND id >= 16384)
FROM (SELECT) AS once LEFT JOIN told ON true
ORDER BY 1, class = 'pg_namespace'::regclass, 2 LIMIT 1
"""
_READ, _WRITTEN, _DROPPED, _UNLOCKED = "sfumato_reads", 2, 9, 10
_OTHER_OWNER = (
    "it would act with the rights of this login; give it to another owner, or a schema of its own"
)
_PLAIN = "copy its rows into a table or a materialized view"
_ADVICE = (
    _OTHER_OWNER,
    "what is looked up there by its name could be another thing soon; take CREATE on it away, or use "
    "a schema of its own",
    "rights have to be told by somebody else",
    f"nobody here knows what stands there; {_PLAIN}",
    f"nobody here knows what it runs; {_PLAIN}",
    f"what it names is looked up when it runs; write it with BEGIN ATOMIC, or {_PLAIN}",
    "that looks names up or asks for the session's user or settings, and they are the service's; ask for "
    f"current_user there, or {_PLAIN}",
    f"rows could be hidden from this login without an error; leave the setting out, or {_PLAIN}",
    "whoever makes or names something writes there; ask for current_user or pg_has_role, or a table",
    "try again",
    "what is read is locked meanwhile, so that nobody empties it: grant this login SELECT there, and USAGE "
    "on its schema",
)


def judge(
    connection: Connection[Any],
    schema: str,
    name: str,
    pinned: Pinned | None = None,
    reader: str | None = None,
    policies: bool = False,
    called: Sequence[str] = (),
) -> str:
    """Why a table or view is not to be read (for this reader), if it is not. `policies`: those for the reader
    are asked in a session of the service's. `called`: schemas in which something is called by its name.
    `pinned` is told what else should have been locked."""
    given = {
        "schema": schema,
        "name": name,
        "reader": reader,
        "policies": policies and reader is not None,
        "called": list(called),
        "held": pinned and pinned.held,
    }
    found = connection.execute(_JUDGED.encode(), given).fetchone()
    rank, said, wanted, functions = found or (None, "", [], [])
    if pinned is not None:
        pinned.functions.update(functions)
    if pinned is not None and wanted and rank in (None, _UNLOCKED):
        pinned.wanted.update(wanted)
        return ""
    if rank is None:
        return ""
    if rank == _DROPPED:
        where = host(connection.info.dsn)
        raise Again(
            f"the entity database at {where}: what is asked depends on {said}; try again; nothing was written"
        )
    more = ", or set tables.reader_login" if given["policies"] and rank > _WRITTEN else ""
    if rank == 0 and reader is None and "the reader '" in said:
        more = ", or take that role away from this login, for which all are readers whom it can take on"
    return f"depends on {said}; {_ADVICE[rank]}{more}"


def judge_table(connection: Connection[Any], schema: str, name: str, pinned: Pinned) -> str:
    """The same of a table or view that from now on is what its name says: nobody drops or renames it, or what
    its views read, until the transaction ends."""
    table = driver().sql.Identifier(schema, name).as_string(connection)
    _read(connection, f"SELECT FROM {table}")
    return judge(connection, schema, name, pinned)


def judge_query(
    connection: Connection[Any], query: str, columns: str, view: str, pinned: Pinned
) -> str:
    """The same of these columns of a query: the server knows what a view depends on, so a temporary one is
    made, and never kept. It is left for the transaction to ask, in which no name has to be looked up again.
    The query has to be one by itself, too, so that it closes no bracket of ours.

    No stranger's code runs as it is read. Reading runs nothing but what makes values of texts, and is done
    first without them. Then it is known of what types they will be: of no stranger's, whose checks run none.
    Nor can the texts become of others as the query is read with them, which names no schema's functions or
    types where a stranger may make some, and whose tables nobody may drop since it was first read.

    Each verdict is about the moment that the transaction sees, and what was made later is refused: it is not
    there. So is what was dropped since."""
    (unread, _), where = without_texts(query), host(connection.info.dsn)
    if why := judge(connection, "", "", pinned):  # what runs as the view is made
        return why
    for read in dict.fromkeys((unread, query)):
        try:
            _read(connection, read)
        except driver().errors.SyntaxError as error:
            if read == query:
                raise
            raise InputError(
                f"the entity database at {where}: {error.diag.message_primary}, where CAST(NULL AS …) stands "
                "for each text; right before a text write no type, but CAST('x' AS type); nothing was written"
            ) from None
        made = view if read == query else f"{view}_unread"
        try:
            connection.execute(
                f"CREATE TEMPORARY VIEW {made} AS SELECT {columns} FROM ({read}\n) AS place".encode()
            )
        except (
            driver().errors.InsufficientPrivilege,
            driver().errors.ReadOnlySqlTransaction,
        ) as error:
            raise InputError(
                f"the entity database at {where}: who could change what a query asks "
                f"cannot be told ({error.diag.message_primary}); grant TEMPORARY on the database to this "
                "login, or make a view of the query (as a query: TABLE schema.view); nothing was written"
            ) from None
        if why := judge_view(connection, query, made, pinned):
            return why
    return _mixed(connection, view)


def judge_view(
    connection: Connection[Any],
    query: str,
    view: str,
    pinned: Pinned,
    reader: str | None = None,
    policies: bool = False,
) -> str:
    """The same of a query of which the view is made."""
    schema = "SELECT nspname FROM pg_namespace WHERE oid = pg_my_temp_schema()"
    (name,) = connection.execute(schema.encode()).fetchone() or ("",)
    why = judge(connection, name, view, pinned, reader, policies, without_texts(query)[1])
    return why.replace(f"view {view},", "itself,")


def _mixed(connection: Connection[Any], view: str) -> str:
    """Why a query would compare other values than those it names. Where it is not said of what type a value
    is that is cast, it is of the worst that the query knows."""
    read = "SELECT ev_action::text FROM pg_rewrite WHERE ev_class = %s::regclass"
    (tree,) = connection.execute(read.encode(), [f"pg_temp.{view}"]).fetchone() or ("",)
    types = implicit_casts(tree)
    if "" in types:
        types = [*filter(None, types), *_TYPES.findall(tree)]
    found = connection.execute(_OWN.encode(), [types]).fetchone()
    if found is None:
        return ""
    return (
        f"reads {found[0]} as another type where no cast is written; operators are the system's in a query, "
        "not the type's; make a view of it (as a query: TABLE schema.view), or write CAST(… AS text)"
    )


def _read(connection: Connection[Any], query: str) -> None:
    """All tables of a query are locked as the server reads it, those behind its views, too."""
    connection.execute(f"PREPARE {_READ} AS {query}".encode())
    connection.execute(f"DEALLOCATE {_READ}")
