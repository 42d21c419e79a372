"""Gli stati dei widget: funzioni di NumPy che danno liste e stringhe. Il browser disegna, non calcola."""
