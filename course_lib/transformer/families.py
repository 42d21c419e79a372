"""Le tre famiglie di Transformer, montate con gli stessi pezzi.

encoder-only (BERT): tutti guardano tutti, ne escono vettori contestuali.
decoder-only (GPT-2, LLaMA): ognuno guarda indietro, ne escono i logit del token che segue.
encoder-decoder (T5): un encoder legge, un decoder scrive guardandolo con l'attenzione incrociata.
"""

from __future__ import annotations

from typing import ClassVar

from course_lib.transformer.arrays import as_array, expect_axes, expect_length
from course_lib.transformer.blocks import DecoderBlock, EncoderBlock
from course_lib.transformer.model import Model


class EncoderOnly(Model):
    """Solo encoder: da una fila di ID ai suoi vettori contestuali; nulla è nascosto, se non da mask."""

    stacks: ClassVar = {"encoder": (EncoderBlock, False)}
    writes = False

    def __call__(self, ids, mask=None, *, return_weights=False, watch=None):
        """Da ids (..., T) ai vettori (..., T, d).

        mask: bool adattabile a (..., h, T, T), per esempio padding_mask(lengths, T)[:, None, None, :];
        oppure una lista con una maschera (o None) per ogni blocco
        return_weights: se è vero restituisce la coppia (vettori, coefficienti), (..., h, T, T) per blocco
        watch: una f(nome, array) a cui mostrare ogni passo: «encoder.0.self.weights», «encoder.0.ffn.output»…
        """
        ids = self._ids("ids", ids)
        *lead, T = ids.shape
        seen = []
        masks = self._masks("mask", mask, lead, T, T)
        x = self._run(
            "encoder", self._embed(ids), masks, watch=_noting(seen, watch) if return_weights else watch
        )
        return (x, self._with_weights(seen)) if return_weights else x


class DecoderOnly(Model):
    """Solo decoder: da una fila di ID ai logit del token che segue, in ogni posizione."""

    stacks: ClassVar = {"decoder": (DecoderBlock, False)}
    writes = True

    def __call__(self, ids, mask=None, cache=None, *, return_weights=False, watch=None):
        """Da ids (..., T) ai logit (..., T, V), con la maschera causale, che c'è sempre.

        mask: ciò che si vieta in più, bool adattabile a (..., h, T, S); oppure una lista con una maschera
        (o None) per ogni blocco. Una testa che non può guardare nulla ha uscita 0: così si spegne.
        cache: una KVCache, per generare; le posizioni cominciano da cache.length, e S = cache.length + T
        return_weights: se è vero restituisce la coppia (logit, coefficienti), (..., h, T, S) per blocco
        watch: una f(nome, array) a cui mostrare ogni passo: «decoder.0.self.weights», «decoder.0.ffn.output»…
        """
        ids = self._ids("ids", ids)
        *lead, T = ids.shape
        start = 0 if cache is None else cache.length
        seen = []
        masks = self._masks("mask", mask, lead, T, start + T, causal=True)
        x = self._run(
            "decoder",
            self._embed(ids, start),
            masks,
            cache=cache,
            watch=_noting(seen, watch) if return_weights else watch,
        )
        logits = self._logits(x)
        if cache is not None:
            cache.advance(T)
        return (logits, self._with_weights(seen)) if return_weights else logits


class EncoderDecoder(Model):
    """Encoder e decoder: legge una fila di ID, ne scrive un'altra; la tabella degli embedding è una sola."""

    stacks: ClassVar = {"encoder": (EncoderBlock, False), "decoder": (DecoderBlock, True)}
    writes = True

    def __call__(self, source, target, source_mask=None, target_mask=None, memory_mask=None, *, watch=None):
        """Da source (..., S) e target (..., T) ai logit (..., T, V).

        Le maschere sono bool, o liste di una per blocco: source_mask (..., h, S, S) nell'encoder,
        target_mask (..., h, T, T) nel decoder, in più di quella causale, memory_mask (..., h, T, S)
        nell'attenzione incrociata.
        watch: come nelle altre famiglie; l'incrociata è «decoder.0.cross.weights»
        """
        memory = self.encode(source, source_mask, watch=watch)
        return self.decode(target, memory, target_mask, memory_mask, watch=watch)

    def encode(self, source, mask=None, *, watch=None):
        """Legge: source (..., S) -> la memoria, (..., S, d). Si fa una volta sola per frase."""
        source = self._ids("source", source)
        *lead, S = source.shape
        masks = self._masks("source_mask", mask, lead, S, S)
        return self._run("encoder", self._embed(source), masks, watch=watch)

    def decode(self, target, memory, mask=None, memory_mask=None, cache=None, *, watch=None):
        """Scrive: target (..., T) e memory (..., S, d) -> logit (..., T, V); cache come in DecoderOnly.

        Le key e i value della memoria si ricalcolano a ogni chiamata.
        """
        target = self._ids("target", target)
        *lead, T = target.shape
        memory = as_array("memory", memory)
        expect_axes("memory", memory, 2, "(..., S, d)")
        expect_length("memory", memory, -1, self.d_model, "d_model")
        start = 0 if cache is None else cache.length
        x = self._run(
            "decoder",
            self._embed(target, start),
            self._masks("target_mask", mask, lead, T, start + T, causal=True),
            context=memory,
            context_masks=self._masks("memory_mask", memory_mask, lead, T, memory.shape[-2]),
            cache=cache,
            watch=watch,
        )
        logits = self._logits(x)
        if cache is not None:
            cache.advance(T)
        return logits


def _noting(seen, watch):
    """Una watch che mette in seen i coefficienti dell'auto-attenzione, e passa tutto a quella di prima."""

    def see(name, array):
        if name.endswith("self.weights"):
            seen.append(array)
        if watch is not None:
            watch(name, array)

    return see
