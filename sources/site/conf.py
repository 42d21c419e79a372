"""Il sito del corso: `corso sito` mette qui accanto le altre pagine e chiama Sphinx."""

from importlib.util import find_spec

from docutils import nodes

project = "Chiave di lettura"
author = "gli autori di Chiave di lettura"
copyright = f"2026 {author}. Il codice è MIT, i testi sono CC BY 4.0"
language = "it"
locale_dirs = ["locale"]  # le parole del tema che nessuno ha tradotto
smartquotes = False  # la tipografia è già nei testi: «un po'» diventerebbe un'altra cosa

extensions = ["myst_nb", "sphinx.ext.autodoc", "course_lib.publishing.docstrings"]
exclude_patterns = ["locale"]
nb_execution_mode = "off"
nb_merge_streams = True
myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
add_module_names = False
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
# su Windows non ci sono, e le docstring non ne hanno bisogno
NOT_ON_WINDOWS = ("fcntl", "grp", "pwd")
autodoc_mock_imports = [name for name in NOT_ON_WINDOWS if find_spec(name) is None]

# le formule: MathJax sta in _static, in un file solo; il suo menu caricherebbe altri file
mathjax_path = "mathjax/tex-svg.js"
mathjax3_config = {"options": {"enableMenu": False}}

html_theme = "pydata_sphinx_theme"
html_title = project
html_static_path = ["_static"]
html_css_files = ["sito.css"]
html_js_files = [("sito.js", {"defer": "defer"})]
html_favicon = "_static/chiave.svg"
html_domain_indices = False
html_copy_source = False
html_show_sourcelink = False
html_context = {"default_mode": "auto"}
html_sidebars = {"index": [], "glossario": [], "cita": [], "search": []}
html_theme_options = {
    "logo": {"text": project, "image_light": "_static/chiave.svg", "image_dark": "_static/chiave.svg"},
    "navbar_align": "left",
    "search_bar_text": "Cerca nel corso",
    "header_links_before_dropdown": 6,
    "header_dropdown_text": "Altro",
    "navigation_with_keys": False,  # le frecce sono dei widget
    "show_prev_next": True,
    "secondary_sidebar_items": {"**": ["page-toc"], "index": []},
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}


def setup(app):
    """Due pagine hanno per titolo il nome del corso: la ricerca, e la scheda del browser, le distinguono."""
    app.connect("env-updated", name_readme)
    app.connect("html-page-context", name_index)


def name_readme(app, env):
    """Al README dà il nome che ha nelle guide."""
    env.titles["README"] = env.longtitles["README"] = nodes.title("", "I primi passi")


def name_index(app, page, template, context, document):
    """Alla pagina d'ingresso dà anche il sottotitolo, che nella scheda sta prima del nome."""
    if page == "index":
        context["docstitle"] = "L'attenzione e i Transformer, fatti a mano"
