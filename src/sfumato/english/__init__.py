"""What depends on the language: spelling, words, plurals, numbers and dates as written, sentences."""
