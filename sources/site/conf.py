"""Il sito del corso: `corso sito` copia qui accanto le pagine e chiama Sphinx."""

project = "Chiave di lettura"
author = "gli autori di Chiave di lettura"
copyright = author
language = "it"

extensions = ["myst_nb", "sphinx.ext.autodoc", "course_lib.publishing.docstrings"]
nb_execution_mode = "off"
nb_merge_streams = True
myst_enable_extensions = ["amsmath", "deflist", "dollarmath", "colon_fence"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"

# le formule: MathJax sta in _static, in un file solo; il suo menu caricherebbe altri file
mathjax_path = "mathjax/tex-svg.js"
mathjax3_config = {"options": {"enableMenu": False}}

html_static_path = ["_static"]
html_theme = "pydata_sphinx_theme"
html_title = project
html_copy_source = False
html_show_sphinx = False
