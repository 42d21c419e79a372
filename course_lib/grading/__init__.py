"""La correzione: il codice degli allievi calcola valori in un box, un giudice fuori dal box li confronta."""
