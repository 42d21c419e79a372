"""La suite ostile: consegne fatte per ingannare, fermare, spiare o consumare la correzione."""
