"""Risposte giuste, e consegne riuscite a metà, un modulo per esercizio."""
