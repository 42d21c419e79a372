"""La classe su JupyterHub: impostazioni, limiti, avvio dei server, scambio delle consegne, `corso hub --prova`."""
