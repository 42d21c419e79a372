"""Chiave di lettura: l'attenzione e i Transformer, fatti a mano."""
