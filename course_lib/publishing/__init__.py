"""Il corso da leggere fuori da JupyterLab: il sito, e ciò da cui si fanno le sue pagine."""
