"""I limiti del box, tutti qui: tempo, memoria, processi, file, uscita."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 2**20


@dataclass(frozen=True)
class Limits:
    """Limiti di una consegna; i tempi sono in secondi, le misure in byte."""

    start_seconds: float = 30.0  # avvio del box
    cell_seconds: float = 20.0  # tempo reale di una cella
    call_seconds: float = 10.0  # tempo reale di una chiamata a una funzione dell'allievo
    notebook_seconds: float = 120.0  # tempo reale di tutta la consegna, passate e chiamate insieme
    cpu_seconds: int = 120  # tempo di CPU di ciascun processo
    memory: int = 1024 * MIB  # memoria di tutto il box: somma dei processi e dei file in memoria
    address_space: int = 3 * 1024 * MIB  # spazio di indirizzi di ciascun processo
    processes: int = 32  # processi e thread
    file_size: int = 32 * MIB  # un file scritto
    open_files: int = 128
    tmpfs: int = 64 * MIB  # /tmp del box


DEFAULT = Limits()
