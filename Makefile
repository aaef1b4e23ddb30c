.PHONY: setup test check docs bench
setup test check docs bench:
	scripts/$@
