"""Who could change what a place in PostgreSQL says: rights are not told by whoever they are about."""

from __future__ import annotations

from typing import Any

from sfumato.errors import InputError
from sfumato.know.entities.logins import asking, driver, host, pin

_OWNED = {
    "pg_class": "relowner",
    "pg_proc": "proowner",
    "pg_type": "typowner",
    "pg_operator": "oprowner",
    "pg_collation": "collowner",
    "pg_opclass": "opcowner",
    "pg_opfamily": "opfowner",
    "pg_foreign_data_wrapper": "fdwowner",
    "pg_foreign_server": "srvowner",
}
_OWNERS = " UNION ALL ".join(
    f"SELECT class, id, {owner} FROM used JOIN {catalog} ON class = '{catalog}'::regclass AND id = oid"
    for catalog, owner in _OWNED.items()
)
# What a table or view consists of (rules, policies, types, casts of these, and what all of them use), as far
# as a role could change it. Whoever may use a foreign server says there who he is.
_USED = f"""
WITH RECURSIVE place AS (
  SELECT c.oid, c.relpersistence FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = %s AND c.relname = %s
), used (class, id) AS (
  SELECT 'pg_class'::regclass::oid, oid FROM place
  UNION
  SELECT d.refclassid, d.refobjid FROM used u CROSS JOIN LATERAL (
    SELECT u.class, u.id
    UNION ALL SELECT 'pg_rewrite'::regclass, oid FROM pg_rewrite WHERE ev_class = u.id
    UNION ALL SELECT 'pg_policy'::regclass, oid FROM pg_policy WHERE polrelid = u.id
    UNION ALL SELECT 'pg_cast'::regclass, oid FROM pg_cast WHERE castsource = u.id
    UNION ALL SELECT 'pg_constraint'::regclass, oid FROM pg_constraint WHERE contypid = u.id
    UNION ALL SELECT 'pg_class'::regclass, typrelid FROM pg_type WHERE oid = u.id AND typrelid <> 0
  ) AS part (class, id) JOIN pg_depend d ON d.classid = part.class AND d.objid = part.id
), owned (class, id, owner) AS ({_OWNERS})
"""
USED_AND_OWN = f"""{_USED}
SELECT CASE WHEN pg_has_role(r.oid, o.owner, 'MEMBER') THEN '' ELSE 'a user mapping for ' END
  || pg_describe_object(o.class, o.id, 0) FROM owned o
JOIN pg_roles r ON r.rolname = %s WHERE NOT r.rolsuper AND (
  pg_has_role(r.oid, o.owner, 'MEMBER')
  OR CASE WHEN o.class = 'pg_foreign_server'::regclass THEN has_server_privilege(r.oid, o.id, 'USAGE') END
) ORDER BY 1 LIMIT 1
"""
# Functions and views work with the rights of whoever asks. So what the service reads can be changed only by a
# superuser, the database's owner, or whoever owns the tables that its settings name, and by no role that
# it asks for, since that is a reader.
USED_AND_STRANGE = f"""{_USED}, named (owner) AS (
  SELECT c.relowner FROM place p JOIN pg_class c ON c.oid = p.oid OR p.relpersistence = 't' AND EXISTS (
    SELECT FROM pg_rewrite w JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid
    WHERE w.ev_class = p.oid AND d.refclassid = 'pg_class'::regclass AND d.refobjid = c.oid)
)
SELECT pg_describe_object(o.class, o.id, 0) || ', which belongs to '
  || CASE WHEN pg_has_role(current_user, r.oid, 'MEMBER') THEN 'the reader ' ELSE '' END
  || quote_literal(r.rolname) FROM owned o
JOIN pg_roles r ON pg_has_role(r.oid, o.owner, 'MEMBER')
WHERE r.rolcanlogin AND NOT r.rolsuper AND r.rolname <> current_user
AND NOT EXISTS (SELECT FROM pg_database WHERE datname = current_database() AND datdba = r.oid)
AND (pg_has_role(current_user, r.oid, 'MEMBER')
  OR NOT EXISTS (SELECT FROM named n WHERE pg_has_role(r.oid, n.owner, 'MEMBER')))
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
                "login, or make a view of the query; nothing was written"
            ) from None
        schema = "SELECT nspname FROM pg_namespace WHERE oid = pg_my_temp_schema()"
        (name,) = connection.execute(schema.encode()).fetchone() or ("",)
        return connection.execute(asked.encode(), (name, "sfumato_place", *more)).fetchall()
