"""es01 · Il vocabolario: gli ingressi di prova, gli errori tipici, le loro domande."""

from __future__ import annotations

from course_lib.checks.common_slips import EARLY_RETURN
from course_lib.checks.es01.functions import has_every_token_in_another_order, vocabulary_family
from course_lib.checks.exercise import Check, Slip


def _cases(rng):
    return [
        (["era", "qui", "era", "era", "là"],),
        (["Il", "gatto", "vede", "il", "gatto", "e", "il", "gatto", "dorme", "."],),
        (["zero", "uno", "zero", "due", "uno", "due", "due", "tre"],),
        (["sola"],),
        ([],),
    ]


VOCABULARY = Check(
    name="vocabulary",
    reference=vocabulary_family(),
    family=vocabulary_family,
    first_case={"tokens": ["La", "chiave", "e", "la", "chiave", "accanto"]},
    cases=_cases,
    slips=(
        Slip(
            "ID da 1",
            "Quale ID ha la prima voce del tuo vocabolario? E quale dovrebbe avere?",
            {"start": "one"},
        ),
        Slip(
            "token ignoto assente",
            "Che cosa si potrà scrivere, con il tuo vocabolario, al posto di una parola mai vista?",
            {"unknown": "absent"},
            {"unknown": "not counted"},
        ),
        Slip(
            "nome del token ignoto",
            "Il token ignoto ha un nome solo, scritto nella scheda, segni compresi: il tuo è proprio quello?",
            {"unknown": "no brackets"},
            {"unknown": "capital"},
            {"unknown": "spaced"},
        ),
        Slip(
            "token ignoto in fondo",
            "Il token ignoto c'è, ma dopo gli altri: quale posto gli dà la scheda?",
            {"unknown": "last"},
        ),
        Slip(
            "ID dal posto nel testo",
            "Fra i tuoi ID ci sono dei salti: conti i posti del testo o le voci del vocabolario?",
            {"ids": "last place"},
            {"ids": "first place"},
        ),
        Slip(
            "ID riscritto",
            "Quando un token torna, il suo ID è già stato deciso: che cosa gli succede nel tuo ciclo?",
            {"ids": "rewritten"},
        ),
        Slip(
            "il primo ID libero è saltato",
            "Quando arriva il primo token nel vocabolario c'è una voce sola: qual è il primo ID libero?",
            {"ids": "one too many"},
        ),
        Slip(
            "quante volte al posto dell'ID",
            "I tuoi numeri dicono quante volte un token compare: due token possono avere lo stesso ID?",
            vocabulary_family(ids="times"),
        ),
        Slip(
            "lo stesso ID per tutti",
            "I tuoi token hanno tutti lo stesso ID: il numero che dai a una voce nuova cresce mai?",
            vocabulary_family(ids="all the first"),
        ),
        Slip(
            "ordine alfabetico",
            "In quale ordine arrivano i token nel testo, e in quale ordine li hai numerati?",
            {"order": "alphabet"},
        ),
        Slip(
            "ordine di frequenza",
            "Hai dato i primi ID ai token più frequenti: la scheda guarda quante volte compaiono?",
            {"order": "frequency"},
        ),
        Slip(
            "maiuscole perdute",
            "«La» e «la» sono qui due voci o una?",
            {"case": "lower"},
        ),
        Slip(
            "dizionario rovesciato",
            "Dal tuo dizionario si va dall'ID al token: la scheda in quale verso lo vuole?",
            {"form": "inverted"},
        ),
        Slip(*EARLY_RETURN, vocabulary_family(form="first")),
        Slip(
            "ordine di un insieme",
            "Le voci e gli ID ci sono tutti, ma non nell'ordine in cui i token compaiono: un insieme (set) "
            "quell'ordine lo ricorda?",
            vocabulary_family(order="scattered"),
            admits=has_every_token_in_another_order,
        ),
        Slip(
            "una lista al posto del dizionario",
            "In una lista l'ID di un token va cercato ogni volta: che cosa chiede invece la scheda?",
            vocabulary_family(form="list"),
        ),
    ),
)
