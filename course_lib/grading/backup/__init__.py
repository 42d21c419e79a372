"""La copia di riserva di una classe (registro, voti, scambio di nbgrader), e il suo ripristino.

Una copia è un tar compresso: le cartelle registro/ e scambio/ com'erano, poi INDICE.json, che di ogni file
dice impronta, permessi, proprietario e ora. L'indice non è firmato: chi può scrivere dove stanno le copie può
rifarne una intera, e per questo conviene conservarne altrove l'impronta, che il comando stampa.
"""
