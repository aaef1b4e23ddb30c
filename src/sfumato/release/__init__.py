"""What goes with a release: certificate, ledger, files, batches, views."""
