"""Da `sources/` ai notebook, alle soluzioni e agli esercizi: la bottega del corso.

Qui si importa poco: ogni modulo prende da sé gli strumenti pesanti (nbclient, nbgrader, jupytext).
"""
