"""Disclosure risk: terms that betray what was hidden (Sánchez, Batet and Viejo, correlated terms).

A *problem* holds the things of a document, what each may become and which of them stand together; `sanitize`
raises things until none tells too much about a hidden one; `exposures` lists what still does.
"""
