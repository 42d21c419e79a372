"""Le persone della prova: un browser a testa, e ciò che fanno in JupyterLab."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

from course_lib.hub.trial import Trial

WAIT = 120_000  # millisecondi: due core, tre server e un browser, e la macchina può avere altro da fare
RUN = """async ([base, code, seconds]) => {
  const cookie = document.cookie.split('; ').find(one => one.startsWith('_xsrf='));
  const headers = {'X-XSRFToken': cookie ? cookie.slice(6) : ''};
  const answer = await fetch(base + 'api/kernels', {method: 'POST', headers, body: '{"name": "python3"}'});
  if (!answer.ok) return {status: 'http ' + answer.status, text: await answer.text()};
  const kernel = (await answer.json()).id;
  const socket = new WebSocket(base.replace('http', 'ws') + 'api/kernels/' + kernel + '/channels');
  const result = await new Promise(done => {
    let text = '', replied = '', idle = false;
    const late = setTimeout(() => done({status: 'tardi', text}), seconds * 1000);
    const end = status => { clearTimeout(late); done({status, text}); };
    socket.onopen = () => socket.send(JSON.stringify({
      header: {
        msg_id: 'prova', username: '', session: 'prova', msg_type: 'execute_request', version: '5.3',
        date: '',
      },
      parent_header: {}, metadata: {}, channel: 'shell', buffers: [],
      content: {code, silent: false, store_history: false, user_expressions: {}, allow_stdin: false},
    }));
    socket.onmessage = event => {
      const message = JSON.parse(event.data), content = message.content;
      if (message.msg_type === 'stream') text += content.text;
      if (message.msg_type === 'error') text += content.ename + ': ' + content.evalue;
      if (message.msg_type === 'execute_reply') replied = content.status;
      const ours = message.parent_header.msg_id === 'prova' && message.msg_type === 'status';
      idle ||= ours && content.execution_state === 'idle';
      if (replied && idle) end(replied); // ciò che si stampa arriva prima di «idle», non della risposta
      const dead = ['restarting', 'dead', 'autorestarting'].includes(content.execution_state);
      if (message.msg_type === 'status' && dead) end('morto');
    };
  });
  socket.close();
  await fetch(base + 'api/kernels/' + kernel, {method: 'DELETE', headers});
  return result;
}"""


POST = """async ([url, method]) => {
  const cookie = document.cookie.split('; ').find(one => one.startsWith('_xsrf='));
  const answer = await fetch(url, {method, headers: {'X-XSRFToken': cookie ? cookie.slice(6) : ''}});
  return answer.status + ' ' + await answer.text();
}"""


class Person:
    """Una persona con il suo browser. name: l'utente   page: la pagina che ha davanti"""

    def __init__(self, browser, trial: Trial, name: str) -> None:
        self.trial, self.name = trial, name
        self.context = browser.new_context(locale="it-IT", viewport={"width": 1366, "height": 900})
        self.context.set_default_timeout(WAIT)
        self.page = self.context.new_page()
        self.base = f"{trial.settings.indirizzo}/user/{name}/"

    @property
    def course(self) -> Path:
        """La sua cartella del corso."""
        return self.trial.home(self.name) / "chiave-di-lettura"

    def ask(self) -> None:
        """Entra con nome e password: il server comincia ad accendersi."""
        self.page.goto(self.trial.settings.indirizzo)
        self.page.fill("#username_input", self.name)
        self.page.fill("#password_input", self.trial.passwords[self.name])
        self.page.click("#login_submit", no_wait_after=True)
        self.page.wait_for_url("**/spawn-pending/**")
        self.picture(f"attesa-{self.name.partition('-')[0]}")

    def arrive(self) -> None:
        """Aspetta JupyterLab."""
        self.page.wait_for_selector("#jp-MainLogo")

    def open(self, path: str) -> None:
        """Apre un file in un Lab vuoto."""
        self.page.goto(f"{self.base}lab/workspaces/prova/tree/{path}?reset")
        self.page.wait_for_selector(".jp-Notebook .jp-CodeCell, .jp-FileEditor")

    def menu(self, menu: str, voice: str) -> None:
        """Sceglie una voce di un menu."""
        self.page.locator(".lm-MenuBar-itemLabel", has_text=re.compile(f"^{menu}$")).click()
        self.page.locator(".lm-Menu-itemLabel", has_text=re.compile(f"^{voice}$")).click()

    def assignments(self):
        """L'elenco degli esercizi, aperto e aggiornato."""
        if self.page.locator("#assignments").count() == 0:
            self.menu("Consegne", "Elenco degli esercizi")
        listing = self.page.locator("#assignments")
        listing.wait_for()
        self.page.click("#refresh_assignments_list")
        return listing

    def press(self, group: str, button: str) -> None:
        """Preme un pulsante nell'elenco. group: released, fetched o submitted"""
        row = self.assignments().locator(f"#{group}_assignments_list .list_item", has_text="es02").first
        row.get_by_role("button", name=button, exact=True).click()

    def write(self, answers: dict[str, str]) -> None:
        """Scrive ogni risposta nella sua cella, e salva. answers: nome della funzione -> codice"""
        for name, answer in answers.items():
            cell = self.page.locator(".jp-Notebook .jp-CodeCell", has_text=f"def {name}(").first
            cell.locator(".cm-content").click()
            self.page.keyboard.press("Control+a")
            self.page.keyboard.insert_text(answer)
        self.page.keyboard.press("Control+s")
        self.page.wait_for_function("() => !document.querySelector('.jp-mod-dirty')")

    def validate(self) -> str:
        """Preme «Controlla» sopra il notebook: che cosa dice la finestra."""
        self.page.locator(".jp-NotebookPanel-toolbar").get_by_text("Controlla", exact=True).click()
        dialog = self.page.locator(".jp-Dialog", has_text="prove visibili")
        dialog.wait_for()
        said = dialog.inner_text()
        dialog.locator("button.jp-mod-accept").click()
        return said

    def run(self, code: str, seconds: float = 60) -> dict:
        """Esegue del codice in un kernel suo, dal browser: come finisce e che cosa stampa."""
        if not self.page.url.startswith(self.base):
            self.page.goto(self.base + "lab", wait_until="domcontentloaded")  # quelle delle API non possono
        return self.page.evaluate(RUN, [self.base, code, seconds])

    def terminal(self, command: str, done: Path) -> str:
        """Scrive un comando in un terminale di JupyterLab; done: il file in cui finisce ciò che stampa."""
        self.page.goto(f"{self.base}lab/workspaces/terminale?reset")
        self.page.wait_for_selector(".jp-Launcher")
        self.page.locator(".jp-LauncherCard", has_text="Terminale").click()
        self.page.locator(".jp-Terminal .xterm-screen").click()
        self.page.keyboard.type(f"{command} > {done} 2>&1; echo fine $? >> {done}\n")
        self.page.wait_for_timeout(300)
        until = 4 * WAIT / 1000  # una correzione, su una macchina carica
        while until > 0:
            text = done.read_text("utf-8") if done.exists() else ""
            if re.search(r"^fine \d+$", text, re.MULTILINE):
                return text
            self.page.wait_for_timeout(500)
            until -= 0.5
        raise AssertionError(
            f"«{command}» non finisce: {done.read_text('utf-8') if done.exists() else 'nulla'}"
        )

    def post(self, url: str) -> str:
        """Una richiesta come quelle dei pulsanti di formgrader: che cosa risponde."""
        return self.page.evaluate(POST, [url, "POST"])

    def restart(self) -> None:
        """Spegne il suo server dall'hub e lo riaccende."""
        self.page.goto(f"{self.trial.settings.indirizzo}/hub/home")
        self.picture(f"casa-{self.name.partition('-')[0]}")
        self.page.click("#stop")
        self.page.wait_for_selector("#stop", state="hidden")
        self.page.locator("#start", has_text="Apri il corso").wait_for()
        self.start()

    def start(self) -> None:
        """Accende il suo server, e aspetta che risponda; niente JupyterLab.

        Senza una pagina: quella dell'attesa passa al corso da sé, e chiuderla allora può non finire.
        """
        self.context.request.get(f"{self.trial.settings.indirizzo}/hub/spawn/{self.name}")
        for _ in range(WAIT // 500):
            page = self.context.request.get(self.base + "lab")  # una pagina: le API non rifanno l'ingresso
            if page.status == 200 and page.url.startswith(self.base):  # e non quella dell'attesa
                return
            self.page.wait_for_timeout(500)
        raise AssertionError(f"il server di {self.name} non parte")

    def status(self, url: str) -> int:
        """Con che stato risponde un indirizzo, con i biscotti di questa persona."""
        return self.context.request.get(url, max_redirects=8).status

    def picture(self, name: str) -> None:
        """Un'immagine della pagina, se si chiede di conservarle."""
        from tests.hub.conftest import PICTURES

        if PICTURES:
            with contextlib.suppress(Exception):
                self.page.screenshot(path=str(Path(PICTURES) / f"{name}.png"))
