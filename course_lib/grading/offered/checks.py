"""Nel box: `verifica` tace, perché qui le prove le fa il giudice, fuori, sui valori."""


def verifica(esercizio, funzione=None, **kwargs):
    """Non fa nulla: nel box le prove si fanno altrove."""
