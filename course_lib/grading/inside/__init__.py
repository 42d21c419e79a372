"""Quel che gira dentro il box: filo, celle, chiamate. Solo libreria standard, NumPy e IPython.

Questa cartella è montata da sola nel box: non importa nulla del resto di `course_lib`.
"""
