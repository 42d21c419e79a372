"""La dispensa da stampare: `corso dispensa` mette qui accanto i notebook e chiama Sphinx."""

project = "Chiave di lettura"
author = "gli autori di Chiave di lettura"
language = "it"
smartquotes = False  # la tipografia è già nei testi

extensions = ["myst_nb"]
nb_execution_mode = "off"
nb_merge_streams = True
myst_enable_extensions = ["amsmath", "deflist", "dollarmath", "colon_fence"]
myst_heading_anchors = 3

html_theme = "basic"
html_permalinks = False
html_copy_source = False
html_use_index = False
