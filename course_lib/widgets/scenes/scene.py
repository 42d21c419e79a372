"""Che cos'è una scena, e come si apre il suo widget."""

from __future__ import annotations

from dataclasses import dataclass, field

COVERS = ("picture", "numbers", "")


@dataclass(frozen=True)
class Scene:
    """Una scena della Regia.

    key: il suo nome nei collegamenti   notebook: da 1 a 8   minutes: quanto dura, all'incirca
    stage: quale widget, aperto come dice stages.py; `options` cambia le scelte con cui si apre
    question: che cosa si chiede alla classe   answer: che cosa si dice quando si rivela
    notes: le note di chi presenta, un capoverso ciascuna   slips: che cosa di solito si sbaglia
    cover: che cosa resta coperto prima: "picture" tutta la figura, "numbers" i suoi numeri, "" nulla
    top: la figura si guarda dall'alto, anche dove la cornice resta fuori
    look: che cosa portare in vista dopo aver rivelato, se la figura non ci sta tutta (un selettore CSS); se
    manca, la cornice e ciò che è acceso
    before, after: le scelte della vista prima e dopo, come le tiene il widget in `view.local`
    """

    key: str
    notebook: int
    title: str
    minutes: int
    stage: str
    question: str
    answer: str
    notes: tuple[str, ...]
    slips: str
    cover: str = "picture"
    top: bool = False
    look: str = ""
    before: dict = field(default_factory=dict)
    after: dict = field(default_factory=dict)
    options: dict = field(default_factory=dict)

    def shown(self) -> dict:
        """Ciò che passa al browser."""
        return {**vars(self), "notes": list(self.notes)}
