"""La dispensa da stampare: i notebook in un PDF solo, con le pagine numerate e l'indice."""
