"""Il motore: gradienti, addestramento, generazione, e i testi su cui si addestra."""
