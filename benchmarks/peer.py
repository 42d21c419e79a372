"""Lo stesso decoder in PyTorch eager: stesse formule, stessi parametri, le sue operazioni più svelte."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from course_lib.transformer.positions import sinusoidal_encoding


class TorchDecoder:
    """Un DecoderOnly con i numeri di `model`, in PyTorch. I nomi dei parametri sono gli stessi."""

    def __init__(self, model):
        self.n_heads, self.n_layers, self.d = model.n_heads, model.n_layers, model.d_model
        self.parameters = {
            name: torch.tensor(array, requires_grad=True) for name, array in model.parameters().items()
        }
        dtype = self.parameters["embedding"].dtype
        self.positions = torch.from_numpy(sinusoidal_encoding(4096, self.d)).to(dtype)

    def __call__(self, ids, cache=None):
        """ids: (B, T) o, con cache, (T,) nuovi -> logit (..., T, V). cache: [] la prima volta."""
        p, start = self.parameters, cache[0][0].shape[-2] if cache else 0
        x = F.embedding(ids, p["embedding"]) * math.sqrt(self.d)
        x = x + self.positions[start : start + ids.shape[-1]]
        for i in range(self.n_layers):
            at = f"decoder.{i}."
            n = F.layer_norm(x, (self.d,), p[at + "self.gamma"], p[at + "self.beta"])
            x = x + self._attention(n, at, i, cache)
            n = F.layer_norm(x, (self.d,), p[at + "ffn.gamma"], p[at + "ffn.beta"])
            hidden = torch.addmm(p[at + "ffn.b_1"], n.flatten(0, -2), p[at + "ffn.W_1"])
            hidden = F.gelu(hidden, approximate="tanh")
            x = x + torch.addmm(p[at + "ffn.b_2"], hidden, p[at + "ffn.W_2"]).view(x.shape)
        x = F.layer_norm(x, (self.d,), p["decoder.gamma"], p["decoder.beta"])
        return x @ p["W_out"] + p["b_out"]

    def _attention(self, n, at, i, cache):
        qkv = n @ self.parameters[at + "self.W_QKV"]
        q, k, v = (t.unflatten(-1, (self.n_heads, -1)).transpose(-3, -2) for t in qkv.split(self.d, dim=-1))
        if cache is not None:
            if len(cache) > i:
                k, v = torch.cat((cache[i][0], k), dim=-2), torch.cat((cache[i][1], v), dim=-2)
                cache[i] = (k, v)
            else:
                cache.append((k, v))
        one = q.shape[-2] == 1  # un token solo vede tutto il passato
        if q.dim() == 3:
            q, k, v = q[None], k[None], v[None]
            z = F.scaled_dot_product_attention(q, k, v, is_causal=not one)[0]
        else:
            z = F.scaled_dot_product_attention(q, k, v, is_causal=not one)
        return z.transpose(-3, -2).flatten(-2) @ self.parameters[at + "self.W_O"]

    def optimizer(self, learning_rate):
        """AdamW nella sua forma più svelta (fused)."""
        return torch.optim.AdamW(
            list(self.parameters.values()), lr=learning_rate, weight_decay=0.01, fused=True
        )

    def step(self, optimizer, inputs, targets):
        """Un passo di addestramento; restituisce la loss."""
        optimizer.zero_grad(set_to_none=True)
        logits = self(inputs)
        loss = F.cross_entropy(logits.flatten(0, -2), targets.flatten())
        loss.backward()
        optimizer.step()
        return loss.item()
