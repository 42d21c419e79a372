"""La classe su JupyterHub: impostazioni, limiti, avvio dei server, scambio, `corso hub --prova`."""
