"""Il corso da leggere fuori da JupyterLab: il sito e la dispensa, e ciò da cui si fanno."""
