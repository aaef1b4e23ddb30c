"""What the adversary knows: taxonomies, term statistics, entity databases.

Nothing is read before it is asked for: importing a package of this room imports none of its modules.
"""
