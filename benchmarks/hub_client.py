"""Una persona su JupyterHub, senza browser: entra, accende il suo server, esegue celle nel suo kernel.

Parla come JupyterLab: la pagina d'ingresso, l'API dell'hub, l'API del server e il suo websocket.
"""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from collections.abc import Coroutine, Iterable
from http.cookies import SimpleCookie
from urllib.parse import urlencode

from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import websocket_connect

START_SECONDS, CELL_SECONDS = 180, 600
AsyncHTTPClient.configure(None, max_clients=200)


async def gathered(tasks: Iterable[Coroutine]) -> list:
    """I risultati di più compiti eseguiti insieme, nell'ordine."""
    return await asyncio.gather(*tasks)


class Pupil:
    """Una persona: nome, password, e dopo `enter` il gettone con cui parla."""

    def __init__(self, address: str, name: str, password: str) -> None:
        self.address, self.name, self.password = address, name, password
        self.token, self.kernel, self.socket = "", "", None

    async def enter(self) -> None:
        """Entra con la password, si fa dare un gettone e accende il suo server; attende che risponda."""
        page = await self._plain("GET", "/hub/login")
        cookies = _cookies(page)
        form = urlencode({"username": self.name, "password": self.password, "_xsrf": cookies["_xsrf"]})
        done = await self._plain("POST", "/hub/login", form, cookies, wanted=(302,))
        cookies |= _cookies(done)
        inside = await self._plain("GET", "/hub/token", None, cookies)  # dentro, il segno _xsrf è un altro
        cookies |= _cookies(inside)
        path = f"/hub/api/users/{self.name}/tokens?_xsrf={cookies['_xsrf']}"
        made = await self._plain("POST", path, "{}", cookies, wanted=(200, 201))
        self.token = json.loads(made.body)["token"]
        await self._api("POST", f"/hub/api/users/{self.name}/server", "", wanted=(201, 202))
        until = time.monotonic() + START_SECONDS
        while not json.loads(await self._api("GET", f"/hub/api/users/{self.name}"))["servers"][""]["ready"]:
            if time.monotonic() > until:
                raise RuntimeError(f"il server di {self.name} non è partito in {START_SECONDS} s")
            await asyncio.sleep(0.3)

    async def new_kernel(self) -> None:
        """Un kernel appena nato, che ha già risposto a una cella vuota."""
        kernels = f"/user/{self.name}/api/kernels"
        answer = await self._api("POST", kernels, '{"name": "python3"}', wanted=(201,))
        self.kernel = json.loads(answer)["id"]
        where = f"{self.address.replace('http', 'ws', 1)}{kernels}/{self.kernel}/channels"
        request = HTTPRequest(where, headers=self._headers(), connect_timeout=300, request_timeout=300)
        self.socket = await websocket_connect(request, max_message_size=2**26)
        await self._execute("None")

    async def run(self, cells: list[str]) -> float:
        """Esegue le celle una dopo l'altra; restituisce i secondi. Solleva RuntimeError se una dà errore."""
        start = time.perf_counter()
        for source in cells:
            await self._execute(source)
        return time.perf_counter() - start

    async def end_kernel(self) -> None:
        """Chiude il kernel."""
        self.socket.close()
        await self._api("DELETE", f"/user/{self.name}/api/kernels/{self.kernel}", wanted=(204,))

    async def _execute(self, source: str) -> None:
        number = uuid.uuid4().hex
        content = {"code": source, "silent": False, "store_history": True, "user_expressions": {},
                   "allow_stdin": False, "stop_on_error": True}  # fmt: skip
        header = {"msg_id": number, "msg_type": "execute_request", "username": self.name, "session": number,
                  "version": "5.3", "date": ""}  # fmt: skip
        message = {"header": header, "parent_header": {}, "metadata": {}, "content": content,
                   "channel": "shell", "buffers": []}  # fmt: skip
        await self.socket.write_message(json.dumps(message))
        replied = idle = False
        while not (replied and idle):
            data = await asyncio.wait_for(self.socket.read_message(), CELL_SECONDS)
            if data is None:
                raise RuntimeError(f"il kernel di {self.name} è morto")
            if isinstance(data, bytes):
                continue  # un messaggio con dati binari: quelli dei widget
            answer = json.loads(data)
            if answer["parent_header"].get("msg_id") != number:
                continue
            if answer["msg_type"] == "execute_reply":
                replied = True
                if answer["content"]["status"] != "ok":
                    raise RuntimeError(f"{self.name}: {answer['content'].get('ename')} in {source[:80]!r}")
            idle = idle or (answer["msg_type"] == "status" and answer["content"]["execution_state"] == "idle")

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"token {self.token}"}

    async def _api(self, method: str, path: str, body: str | None = None, wanted=(200,)) -> bytes:
        answer = await self._send(method, path, body, self._headers())
        if answer.code not in wanted:
            raise RuntimeError(f"{method} {path}: {answer.code} {answer.body[:300]!r}")
        return answer.body

    async def _plain(self, method: str, path: str, body=None, cookies=None, wanted=(200,)):
        sent = "; ".join(f"{name}={value}" for name, value in (cookies or {}).items())
        answer = await self._send(method, path, body, {"Cookie": sent})
        if answer.code not in wanted:
            raise RuntimeError(f"{method} {path}: {answer.code} {answer.body[:300]!r}")
        return answer

    async def _send(self, method: str, path: str, body: str | None, headers: dict[str, str]):
        if body is not None and body[:1] in ("", "{"):
            headers = {**headers, "Content-Type": "application/json"}
        request = HTTPRequest(
            self.address + path, method, headers, body, follow_redirects=False, connect_timeout=300,
            request_timeout=300, allow_nonstandard_methods=True,
        )  # fmt: skip
        return await AsyncHTTPClient(force_instance=True).fetch(request, raise_error=False)


def _cookies(answer) -> dict[str, str]:
    found = SimpleCookie()
    for line in answer.headers.get_list("Set-Cookie"):
        found.load(line)
    return {name: morsel.value for name, morsel in found.items()}
