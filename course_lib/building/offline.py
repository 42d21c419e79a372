"""Importato nel kernel che costruisce i notebook: da qui in poi la rete non c'è.

Un notebook del corso deve funzionare senza rete: se la cerca, la costruzione si ferma.
I collegamenti con questo stesso computer restano: servono al kernel.
"""

import socket

LOCAL = {"localhost", "127.0.0.1", "::1", ""}

_connect, _resolve = socket.socket.connect, socket.getaddrinfo


def _is_local(address) -> bool:
    return not isinstance(address, tuple) or str(address[0]) in LOCAL


def _guarded_connect(self, address):
    if _is_local(address):
        return _connect(self, address)
    raise OSError("i notebook del corso si costruiscono senza rete")


def _guarded_resolve(host, *args, **kwargs):
    if host is None or str(host) in LOCAL:
        return _resolve(host, *args, **kwargs)
    raise OSError("i notebook del corso si costruiscono senza rete")


socket.socket.connect = _guarded_connect
socket.getaddrinfo = _guarded_resolve
