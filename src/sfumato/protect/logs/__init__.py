"""Document logs that may be shared: a document stays only if at least k users have it."""
