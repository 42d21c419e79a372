"""Le scene dei primi due notebook: dal testo ai vettori, e l'attenzione fatta a mano."""

from __future__ import annotations

from course_lib.widgets.scenes.scene import Scene

SCENES = (
    Scene(
        key="chi-guarda-era", notebook=2, title="Chi guarda «era»?", minutes=4, stage="lens", cover="picture",
        question="«La chiave accanto ai libri era …»: aperta o aperto? Quale parola deve guardare «era» per saperlo?",
        answer="«era» guarda soprattutto «chiave»: coefficiente 0,665; «libri» 0,090; «era» 0,245.",
        notes=("Fai votare per alzata di mano prima di rivelare.",),
        slips="Si prende la parola più vicina: «libri».",
    ),
    Scene(
        key="prodotti", notebook=2, title="Prima i prodotti", minutes=5, stage="lens", cover="numbers",
        question="q di «era» è (2; 0), k di «chiave» è (√2; …). Quanto fa q·k?",
        answer="q·k = 2,83: la somma dei prodotti, componente per componente.",
        notes=("Con n e b si va avanti e indietro nel conto.",),
        slips="Si dimentica di sommare.", before={"step": 1}, after={"step": 2},
    ),
    Scene(
        key="finestra", notebook=4, title="La maschera causale", minutes=4, stage="masks", cover="numbers",
        question="Quanto vale la somma della prima riga?", answer="1: guarda soltanto sé stessa.",
        notes=("",), slips="",
    ),
    Scene(key="quattro-fasi", notebook=6, title="Il tavolo", minutes=4, stage="simulator", cover="", question="Provate una frase vostra.",
        answer="", notes=("",), slips="", before={"phase": 4}),
    Scene(key="teste", notebook=6, title="Teste", minutes=4, stage="heads", question="Quale testa guarda il soggetto?",
        answer="Questa.", notes=("",), slips=""),
    Scene(key="orologi", notebook=5, title="Orologi", minutes=4, stage="position", question="?", answer="Questa.", notes=("",), slips=""),
    Scene(key="percorso", notebook=7, title="Percorso", minutes=4, stage="path", question="?", answer="Questa.", notes=("",), slips=""),
    Scene(key="temp", notebook=3, title="Temperatura", minutes=4, stage="temperature", question="?", answer="Questa.", notes=("",), slips=""),
    Scene(key="radice", notebook=3, title="Radice", minutes=4, stage="scaling", question="?", answer="Questa.", notes=("",), slips=""),
    Scene(key="gen", notebook=8, title="Gen", minutes=4, stage="generation", question="?", answer="Questa.", notes=("",), slips=""),
    Scene(key="replay", notebook=8, title="Replay", minutes=4, stage="training", question="?", answer="Questa.", notes=("",), slips=""),
)
