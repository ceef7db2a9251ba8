"""How good the answers are: public question sets, asked of quoth as a person would.

Everything goes through the public entry with the product's defaults: histories in the
`generic` format are synced and searched, by one configuration for all sets. It is not
shipped.
"""
