"""What the adversary knows: taxonomies, term statistics, entity databases."""
