"""L'addestramento: previsione, loss, gradiente, un passo; e da capo.

I parametri del modello diventano viste di un vettore solo, e così i loro gradienti: all'ottimizzatore basta
un conto su tutto il vettore.
"""

from __future__ import annotations

import contextlib
import signal
import threading

import numpy as np
from tqdm.auto import tqdm

from course_lib.learning import blas, parallel
from course_lib.learning.checkpoints import expect_place, save_checkpoint
from course_lib.learning.history import History
from course_lib.learning.optim import AdamW
from course_lib.learning.worker import Worker, flatten
from course_lib.transformer.arrays import as_ids, as_whole, expect_generator

_LOSS = "la loss è diventata NaN o infinita"
_GRADIENT = "la loss è un numero, ma il suo gradiente contiene NaN o infiniti"


class Trainer:
    """Un modello, i suoi parametri in fila e un ottimizzatore: `step` fa un passo.

    threads: 2 divide ogni lotto a metà fra due processi su Linux, fra due thread altrove (dove non c'è da
    guadagnare: vedi `parallel`). Da qui in poi NumPy usa un thread solo per i suoi prodotti, se una variabile
    d'ambiente non dice altro (vedi `blas`). Ciò che un'attenzione stampa nel secondo processo non si vede.
    """

    def __init__(self, model, optimizer, threads=1):
        if threads not in (1, 2):
            raise ValueError(f"threads: mi aspettavo 1 o 2, è arrivato {threads!r}.")
        _expect_trainable(model, optimizer)
        blas.one_thread()
        self.model, self.optimizer = model, optimizer
        self.parameters = flatten(
            model.parameters(), zeros=np.zeros if threads == 1 else parallel.shared_zeros
        )
        self._first = Worker(model, self.parameters)
        self._second = None if threads == 1 else parallel.second_worker(model, self.parameters)
        model.load(self.parameters.views)
        self._closed = False

    @property
    def gradient(self):
        """Il gradiente dell'ultimo passo, in fila come i parametri."""
        return self._first.gradient

    def step(self, inputs, targets, counted=None):
        """Un passo su un lotto. inputs, targets: (B, T) interi   counted: (B, T) bool   Restituisce: la loss.

        Solleva FloatingPointError, e non cambia i parametri, se la loss o il gradiente non sono finiti;
        RuntimeError se il secondo processo si è fermato, o dopo close().
        """
        if self._closed:
            raise RuntimeError("step: questo Trainer è chiuso; per altri passi fanne uno nuovo.")
        with np.errstate(all="ignore"):                                 # se trabocca lo dice la loss
            loss = self._both_halves(inputs, targets, counted)
            if not np.isfinite(loss):
                raise FloatingPointError(_LOSS)
            g = self.gradient
            if not np.isfinite(g.dot(g)) and not np.isfinite(g).all():  # il prodotto solo, quasi sempre
                raise FloatingPointError(_GRADIENT)
            self.optimizer.step(self.parameters.vector, self.gradient)
        return loss

    def _both_halves(self, inputs, targets, counted):
        """Riempie self.gradient e restituisce la loss: in due, se il lotto si può dividere."""
        if self._second is None or len(inputs) < 2:
            return self._first.run(inputs, targets, counted)
        inputs, targets = np.asarray(inputs), np.asarray(targets)
        counted = None if counted is None else np.asarray(counted)
        for name, part in (("targets", targets), ("counted", counted)):
            if part is not None and len(part) != len(inputs):
                raise ValueError(f"{name}: mi aspettavo {len(inputs)} righe, come inputs; sono {len(part)}.")
        if counted is not None and not counted.any():
            raise ValueError("counted: mi aspettavo almeno una posizione da contare.")
        half = len(inputs) // 2
        parts = [
            (inputs[s], targets[s], None if counted is None else counted[s])
            for s in (slice(half), slice(half, None))
        ]
        sizes = [targets.size if counted is None else int(np.sum(counted)) for _, targets, counted in parts]
        shares = [size / max(sum(sizes), 1) for size in sizes]
        self._second.start(*parts[1], shares[1])
        loss = self._first.run(*parts[0], shares[0]) + self._second.result()
        np.add(self.gradient, self._second.gradient, out=self.gradient)
        return loss

    def close(self):
        """Ferma il secondo lavoratore, se c'è, e lascia al modello parametri che sono soltanto suoi."""
        self._closed = True
        if self._second is None:
            return
        shared, own = self.parameters.views, self.model.parameters()
        self.parameters = flatten(shared)                               # fuori dalla memoria comune
        self.model.load({n: self.parameters.views[n] if own[n] is shared[n] else own[n] for n in own})
        self._second.close()


def train(
    model,
    batches,
    steps,
    *,
    optimizer=None,
    threads=1,
    progress=True,
    validation=None,
    every=100,
    checkpoint=None,
    history=None,
    rng=None,
    after_step=None,
):
    """Addestra model per `steps` passi e lo lascia con i parametri nuovi.

    model: uno dei modelli di `transformer.families`; conviene farlo con dtype=np.float32
    batches: un iterabile di coppie (inputs, targets), (B, T) interi, o terne (…, counted): (B, T) bool
    optimizer: se manca, AdamW(3e-3)   progress: mostra la barra
    threads: 1, o 2: due processi su Linux, due thread altrove (vedi Trainer)
    validation: una f(model) -> numero, chiamata ogni `every` passi e alla fine; il valore va nella History
    checkpoint: il file .npz in cui salvare ogni `every` passi e alla fine; rng, se c'è, vi salva il suo stato
    history: quella di un addestramento da continuare
    after_step: una f(passo, loss) chiamata dopo ogni passo
    Il caso è tutto in batches e nei parametri iniziali: stessi semi, stessi numeri.
    Un'interruzione (Ctrl-C, il quadrato di Jupyter) lascia finire il passo: si ha la History fin lì.
    Restituisce: History.
    Solleva ValueError se i lotti finiscono prima, FloatingPointError se la loss diventa NaN o infinita; il
    modello resta com'era prima di quel passo.
    """
    steps, every = as_whole("steps", steps, 0), as_whole("every", every, 1)
    source = _iterator(batches)
    _expect_callable(validation=validation, after_step=after_step)
    if checkpoint is not None:
        expect_place(checkpoint, rng)
    optimizer = AdamW(3e-3) if optimizer is None else optimizer
    history = History() if history is None else history
    trainer = Trainer(model, optimizer, threads)

    def look():
        if validation is not None:
            history.add_validation(_number(validation(model)))
        if checkpoint is not None:
            save_checkpoint(checkpoint, model, optimizer, history, rng)

    done = 0
    history.interrupted = False
    bar = tqdm(total=steps, disable=not progress, desc="Addestramento", unit=" passi")
    try:
        with _waiting_for_the_step() as asked_to_stop, bar:
            while done < steps and not asked_to_stop:
                _one_step(trainer, source, history, steps - done)
                done += 1
                bar.update()
                bar.set_postfix_str(f"loss {history.loss[-1]:.3f}".replace(".", ","), refresh=False)
                if done % every == 0 and done < steps:
                    look()
                if after_step is not None:
                    after_step(history.steps, history.loss[-1])
            history.interrupted = bool(asked_to_stop)
    except KeyboardInterrupt:
        history.interrupted = True
    finally:
        trainer.close()
    if done:
        look()
    return history


def _one_step(trainer, source, history, left):
    try:
        batch = next(source)
    except StopIteration:
        raise ValueError(f"batches: i lotti sono finiti quando mancavano {left} passi.") from None
    if not isinstance(batch, tuple | list) or len(batch) not in (2, 3):
        raise ValueError(
            "batches: mi aspettavo coppie (inputs, targets) o terne (inputs, targets, counted), "
            f"è arrivato un {type(batch).__name__}."
        )
    try:
        history.add(trainer.step(*batch))
    except FloatingPointError as error:
        raise FloatingPointError(_advice(str(error), history.steps + 1, trainer.optimizer)) from None


def _advice(what, step, optimizer):
    """Che cos'è successo, e che cosa fare."""
    stopped = "i parametri di questo sono fermi al passo prima."
    if what == _GRADIENT:
        return (
            f"Al passo {step} {what}: di solito viene da 0/0, o dalla radice o dal logaritmo di 0, in "
            "un'attenzione scritta a mano. np.where sceglie il risultato, non il gradiente: evita il conto "
            f"impossibile prima di farlo. Riprova con un modello nuovo: {stopped}"
        )
    return (
        f"Al passo {step} {what}: di solito il tasso di apprendimento è troppo alto (learning_rate = "
        f"{optimizer.learning_rate:g}). Riprovalo dieci volte più piccolo, con un modello nuovo: {stopped}"
    )


def _expect_trainable(model, optimizer):
    if not all(callable(getattr(model, name, None)) for name in ("parameters", "load", "using")):
        raise ValueError(f"model: mi aspettavo un modello, come DecoderOnly, non un {type(model).__name__}.")
    if isinstance(optimizer, type) or not callable(getattr(optimizer, "step", None)):
        raise ValueError(f"optimizer: mi aspettavo un ottimizzatore, come AdamW(1e-3), non {optimizer!r}.")
    for name, array in model.parameters().items():
        if array.dtype.kind != "f" or array.dtype == np.float16:        # in float16 eps di AdamW sarebbe 0
            raise ValueError(f"{name}: per addestrare servono float32 o float64, qui c'è {array.dtype}.")


def _expect_callable(**functions):
    for name, function in functions.items():
        if function is not None and not callable(function):
            raise ValueError(f"{name}: mi aspettavo una funzione, è arrivato {function!r}.")


def _number(value):
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(f"validation: mi aspettavo che desse un numero, è arrivato {value!r}.") from None


def _iterator(batches):
    try:
        return iter(batches)
    except TypeError:
        raise ValueError(f"batches: mi aspettavo una fila di lotti, è arrivato {batches!r}.") from None


@contextlib.contextmanager
def _waiting_for_the_step():
    """Il primo Ctrl-C si segna in una lista e aspetta la fine del passo; il secondo interrompe subito."""
    asked = []
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return

    def note(number, frame):
        if asked:
            raise KeyboardInterrupt
        asked.append(number)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)


def text_batches(ids, length, size, rng):
    """Lotti senza fine di pezzi di un testo, presi a caso.

    ids: il testo, (n,) interi   length: T, quanti token a pezzo   size: B, quanti pezzi   rng: un Generator
    Restituisce: un generatore di coppie (inputs, targets), (B, T); targets è il pezzo un token più avanti.
    """
    length, size = as_whole("length", length, 1), as_whole("size", size, 1)
    ids = as_ids("ids", ids)
    expect_generator("rng", rng)
    if ids.ndim != 1 or len(ids) <= length:
        raise ValueError(f"ids: mi aspettavo una fila di oltre {length} ID, è arrivata la forma {ids.shape}.")
    places = np.arange(length + 1)

    def endless():
        while True:
            pieces = ids[rng.integers(0, len(ids) - length, size)[:, None] + places]      # (B, T + 1)
            yield pieces[:, :-1], pieces[:, 1:]

    return endless()
