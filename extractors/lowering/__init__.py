"""What the languages share on the way from bytes to instructions, and what the passes share.

`parsing` and `source` read a file, `isolation` and `translated` drive its translation so that what fails costs itself;
`trees` and `literals` read parts of trees. `correlation` and `ranges` are of the passes.
"""
