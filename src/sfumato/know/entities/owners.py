"""Who could change what a place in PostgreSQL says: rights are not told by whoever they are about."""

from __future__ import annotations

from typing import Any

from sfumato.errors import InputError
from sfumato.know.entities.logins import asking, driver, host, pin

_OWNED = {
    "pg_class": "relowner",
    "pg_namespace": "nspowner",  # who may drop what is in it, and put something else there
    "pg_proc": "proowner",
    "pg_type": "typowner",
    "pg_operator": "oprowner",
    "pg_collation": "collowner",
    "pg_opclass": "opcowner",
    "pg_opfamily": "opfowner",
    "pg_foreign_data_wrapper": "fdwowner",
    "pg_foreign_server": "srvowner",
    "pg_statistic_ext": "stxowner",
    "pg_ts_config": "cfgowner",
    "pg_ts_dict": "dictowner",
    "pg_conversion": "conowner",
    "pg_language": "lanowner",
}
_OWNERS = " UNION ALL ".join(
    f"SELECT class, id, {owner}, '' FROM used JOIN {catalog} ON class = '{catalog}'::regclass AND id = oid"
    for catalog, owner in _OWNED.items()
)
# Functions that run a text as a query, or read the table or type that a text names: the system's own, and
# those of its extensions (in C they are known by what they are called there, too).
_RUNNING = (
    "'query_to_xml', 'query_to_xmlschema', 'query_to_xml_and_xmlschema', 'cursor_to_xml', "
    "'cursor_to_xmlschema', 'table_to_xml', 'table_to_xmlschema', 'table_to_xml_and_xmlschema', "
    "'schema_to_xml', 'schema_to_xmlschema', 'schema_to_xml_and_xmlschema', 'database_to_xml', "
    "'database_to_xmlschema', 'database_to_xml_and_xmlschema', 'ts_stat', 'ts_rewrite', "
    "'pg_input_is_valid', 'pg_input_error_info', 'domain_in', 'array_in', 'record_in', 'range_in', "
    "'multirange_in', 'dblink', 'dblink_record', 'dblink_exec', 'dblink_open', 'dblink_send_query', "
    "'crosstab', 'crosstab_hash', 'crosstab2', 'crosstab3', 'crosstab4', 'connectby', 'connectby_text', "
    "'connectby_text_serial', 'xpath_table'"
)
# What the body of a function names is looked up when it runs, and nothing says that it depends on it. So what
# its words could mean counts as used: schemas (all, where it makes words while it runs), and what is called
# so there. A body that was read when it was made (BEGIN ATOMIC) has no words. `"$user"` is whoever asks.
_WORDS = """regexp_split_to_array(lower({} COLLATE "C"), '[^[:alnum:]_]+')"""
_BODY = f"""pg_proc p JOIN pg_language l ON l.oid = p.prolang
  AND (l.lanname <> ALL (ARRAY['internal', 'c']) OR ARRAY[p.proname::text, p.prosrc] && ARRAY[{_RUNNING}])
  AND p.prosrc <> '' AND p.prorettype <> ALL (ARRAY['trigger'::regtype, 'event_trigger'::regtype])
  CROSS JOIN LATERAL (
    SELECT {_WORDS.format("concat(p.prosrc, ' ', p.proconfig)")} || ''::text AS words OFFSET 0) b
  CROSS JOIN LATERAL (
    SELECT b.words && ARRAY['execute', {_RUNNING}] OR l.lanname NOT IN ('sql', 'plpgsql') AS any_word,
      concat(p.prosrc, ' ', p.proconfig) ~ '[$]user' AS of_user) a
  JOIN pg_namespace n ON n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
  AND (a.any_word OR {_WORDS.format("n.nspname::text")} <@ b.words
    OR a.of_user AND EXISTS (SELECT FROM pg_roles k WHERE k.rolname = n.nspname))"""
_CALLED = " UNION ALL ".join(
    f"SELECT '{catalog}'::regclass, c.oid, u.whole FROM {_BODY} JOIN {catalog} c ON {condition} "
    "WHERE u.class = 'pg_proc'::regclass AND p.oid = u.id"
    for catalog, condition in [
        ("pg_namespace", "c.oid = n.oid"),
        ("pg_operator", "c.oprnamespace = n.oid"),
        *(
            (
                catalog,
                f"c.{name}namespace = n.oid AND (a.any_word OR "
                f"{_WORDS.format(f'c.{name}name::text')} <@ b.words)",
            )
            for catalog, name in (("pg_proc", "pro"), ("pg_class", "rel"), ("pg_type", "typ"))
        ),
    ]
)
# A query is read twice, when it is judged and when it is asked: in between, who may make things in a schema
# could make a function or an operator there that its words fit better.
_BESIDE = (
    " UNION ALL ".join(
        f"""SELECT d.refclassid, d.refobjid, r.oid, ', beside which another can be made by ' FROM place p
    JOIN pg_rewrite w ON w.ev_class = p.oid JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass
      AND d.objid = w.oid AND d.refclassid = '{catalog}'::regclass
    JOIN {catalog} c ON c.oid = d.refobjid JOIN pg_roles r ON has_schema_privilege(r.oid, {schema}, 'CREATE')
    WHERE p.relpersistence = 't' AND NOT r.rolsuper"""
        for catalog, schema in (("pg_proc", "pronamespace"), ("pg_operator", "oprnamespace"))
    )
    + f""" UNION ALL
    SELECT u.class, u.id, r.oid, ', which may call what is made in schema ' || n.nspname || ' by '
    FROM used u JOIN {_BODY} ON u.class = 'pg_proc'::regclass AND p.oid = u.id
    JOIN pg_roles r ON has_schema_privilege(r.oid, n.oid, 'CREATE') WHERE NOT r.rolsuper
    UNION ALL
    SELECT u.class, u.id, r.oid, ', which may look into a schema that is made by ' FROM used u
    JOIN pg_proc p ON u.class = 'pg_proc'::regclass AND p.oid = u.id AND p.prosrc <> ''
    JOIN pg_roles r ON has_database_privilege(r.oid, current_database(), 'CREATE')
    WHERE NOT r.rolsuper AND (p.prosrc ~ '[$]user' OR EXISTS (
      SELECT FROM unnest(p.proconfig) AS c (said)
      CROSS JOIN LATERAL regexp_split_to_table(substr(c.said, 13), ',') AS s (path)
      CROSS JOIN LATERAL btrim(s.path, ' "') AS n (name)
      WHERE left(c.said, 12) = 'search_path=' AND n.name <> '' AND n.name !~ '^pg_'
      AND NOT EXISTS (SELECT FROM pg_namespace m WHERE m.nspname = n.name)))"""
)
_TREES = " UNION ALL ".join(
    f"SELECT {tree}::text AS tree FROM {catalog} WHERE u.class = '{catalog}'::regclass AND oid = u.id"
    for catalog, tree in (
        ("pg_rewrite", "ev_action"),
        ("pg_policy", "polqual"),
        ("pg_constraint", "conbin"),
        ("pg_attrdef", "adbin"),
        ("pg_statistic_ext", "stxexprs"),
        ("pg_proc", "prosqlbody"),
        ("pg_proc", "proargdefaults"),
    )
)
# What hangs on something that is used, and may be asked, run or filled when it is read.
_PARTS = " UNION ALL ".join(
    f"SELECT '{catalog}'::regclass, {id}, u.whole FROM {of} WHERE {condition}"
    for catalog, id, of, condition in (
        ("pg_rewrite", "oid", "pg_rewrite", "ev_class = u.id"),
        ("pg_policy", "oid", "pg_policy", "polrelid = u.id"),
        # what is read is cast to text, and to nothing that somebody else has thought of
        ("pg_cast", "oid", "pg_cast", "castsource = u.id AND casttarget < 16384"),
        (
            "pg_constraint",
            "oid",
            "pg_constraint",
            "contypid = u.id OR contype = 'c' AND conrelid = u.id",
        ),
        ("pg_class", "typrelid", "pg_type", "oid = u.id AND typrelid <> 0"),
        ("pg_class", "inhrelid", "pg_inherits", "inhparent = u.id AND u.whole"),
        ("pg_class", "indexrelid", "pg_index", "indrelid = u.id"),
        ("pg_statistic_ext", "oid", "pg_statistic_ext", "stxrelid = u.id"),
        ("pg_trigger", "oid", "pg_trigger", "tgrelid = u.id AND NOT tgisinternal"),
        ("pg_attrdef", "oid", "pg_attrdef", "adrelid = u.id"),
        ("pg_proc", "aggtransfn", "pg_aggregate", "aggfnoid = u.id"),
        # that something calls a function of the system's own is not written down as the others are
        (
            "pg_proc",
            "f.oid",
            f"({_TREES}) AS t JOIN pg_proc f ON f.proname = ANY (ARRAY[{_RUNNING}])",
            "strpos(t.tree, 'funcid ' || f.oid || ' ') > 0",
        ),
    )
)
# What a table or view consists of (rules, policies, partitions, indexes, types, casts of these, and what all
# of them use), as far as a role could change it. Of the table that a partition is part of, the other
# partitions are not read (`whole`). Whoever may use a foreign server says there who he is.
_USED = f"""
WITH RECURSIVE place AS (
  SELECT c.oid, c.relpersistence FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = %s AND c.relname = %s
), used (class, id, whole) AS (
  SELECT 'pg_class'::regclass::oid, oid, true FROM place
  UNION
  SELECT next.* FROM used u CROSS JOIN LATERAL (
    SELECT refclassid, refobjid, u.whole AND NOT EXISTS (
      SELECT FROM pg_inherits WHERE inhrelid = u.id AND inhparent = refobjid)
    FROM pg_depend WHERE classid = u.class AND objid = u.id AND refclassid <> 'pg_trigger'::regclass
    UNION ALL {_PARTS} UNION ALL {_CALLED}
  ) AS next
), owned (class, id, owner, how) AS ({_OWNERS} UNION ALL {_BESIDE})
"""
USED_AND_OWN = f"""{_USED}
SELECT CASE WHEN pg_has_role(r.oid, o.owner, 'MEMBER') THEN '' ELSE 'a user mapping for ' END
  || pg_describe_object(o.class, o.id, 0) FROM owned o
JOIN pg_roles r ON r.rolname = %s WHERE NOT r.rolsuper AND (
  pg_has_role(r.oid, o.owner, 'MEMBER')
  OR CASE WHEN o.class = 'pg_foreign_server'::regclass THEN has_server_privilege(r.oid, o.id, 'USAGE') END
) ORDER BY o.how, o.class = 'pg_namespace'::regclass, 1 LIMIT 1
"""
# Rows that a reader writes himself, through a view as well, say what he wants to know, too.
USED_AND_WRITTEN = f"""{_USED}, written (id) AS (
  SELECT id FROM used WHERE class = 'pg_class'::regclass
  UNION SELECT w.ev_class FROM written o JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass
    AND d.refobjid = o.id AND d.classid = 'pg_rewrite'::regclass JOIN pg_rewrite w ON w.oid = d.objid
) SELECT pg_describe_object('pg_class'::regclass, c.oid, 0) FROM written o
JOIN pg_class c ON c.oid = o.id AND c.relkind IN ('r', 'p', 'v', 'f')
JOIN pg_roles r ON r.rolname = %s JOIN pg_roles m ON pg_has_role(r.oid, m.oid, 'MEMBER')
WHERE NOT r.rolsuper AND (has_table_privilege(m.oid, c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
  OR has_any_column_privilege(m.oid, c.oid, 'INSERT, UPDATE'))
ORDER BY 1 LIMIT 1
"""
# Functions and views work with the rights of whoever asks. So what the service reads can be changed only by a
# superuser, the database's owner, or whoever owns the tables that its settings name, and by no role that
# it asks for, since that is a reader.
USED_AND_STRANGE = f"""{_USED}, named (owner) AS (
  SELECT c.relowner FROM place p JOIN pg_class c ON c.oid = p.oid OR p.relpersistence = 't' AND EXISTS (
    SELECT FROM pg_rewrite w JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid
    WHERE w.ev_class = p.oid AND d.refclassid = 'pg_class'::regclass AND d.refobjid = c.oid)
)
SELECT pg_describe_object(o.class, o.id, 0) || coalesce(nullif(o.how, ''), ', which belongs to ')
  || CASE WHEN pg_has_role(current_user, r.oid, 'MEMBER') THEN 'the reader ' ELSE '' END
  || quote_literal(r.rolname) FROM owned o
JOIN pg_roles r ON pg_has_role(r.oid, o.owner, 'MEMBER')
WHERE r.rolcanlogin AND NOT r.rolsuper AND r.rolname <> current_user
AND NOT EXISTS (SELECT FROM pg_database WHERE datname = current_database() AND datdba = r.oid)
AND (pg_has_role(current_user, r.oid, 'MEMBER')
  OR NOT EXISTS (SELECT FROM named n WHERE pg_has_role(r.oid, n.owner, 'MEMBER')))
ORDER BY o.how, o.class = 'pg_namespace'::regclass, 1 LIMIT 1
"""

# What tells who has logged in, or how: with a reader's role it still tells of the service. So may a body that
# makes words while it runs.
_SESSION = (
    "ARRAY['session_user', 'system_user', 'current_setting', 'show_config_by_name', 'pg_settings', "
    "'pg_show_all_settings', 'show_all_settings', 'pg_stat_activity', 'pg_stat_get_activity', "
    "'pg_stat_get_backend_userid', 'pg_backend_pid', 'inet_client_addr', 'inet_client_port', 'sslinfo', "
    f"'current_schema', 'current_schemas', 'current_query', {_RUNNING}]"
)
_IN_BODIES = "ARRAY['show', 'execute']"
# Tables behind a view, or in a function with its owner's rights, are judged by the policies for that owner.
USED_AND_SESSION = f"""{_USED}, asking (role) AS (
  SELECT oid FROM pg_roles WHERE rolname = %s
  UNION SELECT r.oid FROM used u LEFT JOIN pg_class c ON u.class = 'pg_class'::regclass AND c.oid = u.id
    AND c.relkind = 'v' AND c.relpersistence <> 't'
  LEFT JOIN pg_proc p ON u.class = 'pg_proc'::regclass AND p.oid = u.id AND p.prosecdef
  JOIN pg_roles r ON r.oid = coalesce(c.relowner, p.proowner) AND NOT r.rolsuper AND NOT r.rolbypassrls
), said (class, id, words) AS (
  SELECT u.class, u.id, pg_get_expr(p.polqual, p.polrelid) FROM used u
  JOIN pg_policy p ON u.class = 'pg_policy'::regclass AND p.oid = u.id
  WHERE p.polcmd IN ('r', '*') AND EXISTS (
    SELECT FROM unnest(p.polroles) AS o (role) CROSS JOIN asking a
    WHERE o.role = 0 OR pg_has_role(a.role, o.role, 'MEMBER'))
  UNION ALL SELECT u.class, u.id, pg_get_ruledef(w.oid) FROM used u
  JOIN pg_rewrite w ON u.class = 'pg_rewrite'::regclass AND w.oid = u.id AND w.ev_type = '1'
  UNION ALL SELECT u.class, u.id, pg_get_functiondef(p.oid) FROM used u
  JOIN pg_proc p ON u.class = 'pg_proc'::regclass AND p.oid = u.id AND p.prokind <> 'a'
    AND p.prorettype <> ALL (ARRAY['trigger'::regtype, 'event_trigger'::regtype])
) SELECT pg_describe_object(class, id, 0) FROM said CROSS JOIN LATERAL (
  SELECT {_WORDS.format("words")} AS every OFFSET 0) w
WHERE every && {_SESSION} OR class = 'pg_proc'::regclass AND every && {_IN_BODIES}
ORDER BY 1 LIMIT 1
"""


def of_query(dsn: str, query: str, asked: str, timeout: int, seconds: int, *more: str) -> list[Any]:
    """What is asked of the things that a query depends on: the server knows them of a view, so one is made
    for the moment, and never kept."""
    with asking(dsn, timeout, read_only=False) as connection:
        pin(connection, seconds)
        try:
            connection.execute(f"CREATE TEMPORARY VIEW sfumato_place AS {query}".encode())
        except (
            driver().errors.InsufficientPrivilege,
            driver().errors.ReadOnlySqlTransaction,
        ) as error:
            raise InputError(
                f"the entity database at {host(dsn)}: who could change what a query asks "
                f"cannot be told ({error.diag.message_primary}); grant TEMPORARY on the database to this "
                "login, or make a view of the query (as a query: TABLE schema.view); nothing was written"
            ) from None
        schema = "SELECT nspname FROM pg_namespace WHERE oid = pg_my_temp_schema()"
        (name,) = connection.execute(schema.encode()).fetchone() or ("",)
        return connection.execute(asked.encode(), (name, "sfumato_place", *more)).fetchall()
