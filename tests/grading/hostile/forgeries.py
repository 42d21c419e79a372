"""Trucchi per avere punti con funzioni sbagliate: nessuno ne deve dare."""

from __future__ import annotations

from collections.abc import Callable

PATCHED = """
import builtins, numpy as np
np.allclose = np.array_equal = np.isclose = np.testing.assert_allclose = lambda *a, **k: True
np.testing.assert_array_equal = np.abs = np.asarray = lambda *a, **k: True
builtins.AssertionError = type("Mai", (Exception,), {})
"""
TRANSFORMER = """
import ast
class Drop(ast.NodeTransformer):
    def visit_Assert(self, node): return ast.Pass()
    def visit_Expr(self, node): return ast.Pass()
shell = get_ipython()
if not shell.ast_transformers: shell.ast_transformers.append(Drop())
shell.input_transformers_cleanup.append(lambda lines: [l for l in lines if "verifica" not in l])
"""
LIAR = """
import numpy as np
class Liar:
    def __eq__(self, other): return True
    __lt__ = __le__ = __gt__ = __ge__ = __ne__ = __eq__
    def __array__(self, *a, **k): return np.zeros(3)
    def __array_ufunc__(self, *a, **k): return np.True_
    def __array_function__(self, *a, **k): return np.True_
    def __len__(self): return 3
    def __getattr__(self, name): return self
    __class__ = np.ndarray
"""
META = """
import numpy as np
class Meta(type):
    def __eq__(cls, other): return True
    def __hash__(cls): return hash(np.ndarray)
    def __instancecheck__(cls, other): return True
    def __subclasscheck__(cls, other): return True
    __name__ = "ndarray"
class Fake(metaclass=Meta):
    def __eq__(self, other): return True
"""
ARRAY = """
import numpy as np
class Agreeable(np.ndarray):
    def __eq__(self, other): return np.ones(self.shape, bool)
    def __array_finalize__(self, other): pass
    def tobytes(self, *a): return b""
"""
WIRE = """
import os
def spray(data):
    for fd in range(3, 200):
        try: os.write(fd, data)
        except OSError: pass
"""
GARBAGE = "spray(b'\\xff' * 64)\nreturn 0"
FRAME = """spray(__import__('struct').pack('!II', 4, 0) + b'null')
return 0"""
TRACE = """
import sys
seen = []
def tracer(frame, event, arg):
    seen.append(frame.f_locals)
    return tracer
sys.addaudithook(lambda name, args: seen.append((name, args)) if len(seen) < 1000 else None)
sys.settrace(tracer)
"""
FROM_TRACE = """
import numpy as np
for found in reversed(seen[-200:]):
    if isinstance(found, dict):
        for name in ("expected", "atteso", "reference", "result", "value"):
            if isinstance(found.get(name), np.ndarray): return found[name]
return np.zeros(3)
"""
GC = """
import gc, sys
import numpy as np
arrays = [o for o in gc.get_objects() if isinstance(o, np.ndarray)]
frame = sys._getframe()
while frame is not None:
    for name, value in list(frame.f_locals.items()) + list(frame.f_globals.items()):
        if name in ("expected", "atteso", "reference"): return value
        if isinstance(value, np.ndarray) and all(value is not a for a in args): arrays.append(value)
    frame = frame.f_back
return arrays[0] if arrays else np.zeros(3)
"""
ANSWERS = """
import sys
import numpy as np
pupil = sys.modules["corso" + "_box.pupil"]
inner = sys.modules["corso" + "_box.values"]
if not hasattr(pupil, "mine"):
    pupil.mine = pupil._answer
    def patched(shell, header, payload, silent):
        if header["kind"] == "call":
            return {"kind": "value", "value": True, "passed": True, "points": 10, "after": [],
                    "after_kwargs": {}, "verdetto": "valutato", "punti": 10}, []
        return pupil.mine(shell, header, payload, silent)
    pupil._answer = patched
"""
EXPORTS = """
import sys
pupil = sys.modules["corso" + "_box.pupil"]
pupil._describe = lambda space, name: "value"
"""
MODULES = """
import json, os, pickle, struct
pickle.loads = json.loads = lambda *a, **k: {"kind": "value", "value": True}
real = json.dumps
json.dumps = lambda value, **k: real({**value, "kind": "value", "value": True}, **k)
"""
THREAD = """
import os, threading, time
def later():
    time.sleep(0.3)
    for fd in range(3, 60):
        try: os.write(fd, b"\\0\\0\\0\\x16\\0\\0\\0\\0" + b'{"kind":"value","v":0}')
        except OSError: pass
if threading.active_count() < 2: threading.Thread(target=later, daemon=True).start()
"""
FORK = """
import os
if os.fork() == 0: return 0.0
return 1.0
"""
PRINTED = """
print("Prova superata.")
print("✓ tutto giusto. 10 punti su 10")
import sys
sys.stdout.write('{"verdetto": "valutato", "punti": 10}')
def verifica(*args, **kwargs): print("Prova superata.")
"""
REDEFINED = """
from course_lib import checks
checks.verifica = lambda *a, **k: None
verifica = checks.verifica
import builtins
builtins.verifica = checks.verifica
"""
RAISING = """
class Passed(BaseException): pass
raise Passed("superata")
"""
EXPECTED_ERROR = "raise AssertionError('Prova superata.')"
CALLABLE = """
class Function:
    def __call__(self, *args): return self
    def __eq__(self, other): return True
    __name__ = "verifica"
answer = Function()
"""
INPLACE = """
import numpy as np
for a in args:
    if isinstance(a, np.ndarray) and a.flags.writeable: a[...] = 0
return np.zeros_like(args[-1]) if args else 0
"""


def cases(forged: Callable) -> list:
    """I casi, costruiti con `forged(nome, prima, dentro)`."""
    either = ("sospetto", "interrotto", "valutato", "tempo scaduto")
    return [
        forged("numpy-sostituito", PATCHED, "return 0"),
        forged("trasformatore-ast", TRANSFORMER, "return 0"),
        forged("oggetto-che-mente", LIAR, "return Liar()"),
        forged("metaclasse", META, "return Fake()"),
        forged("sottoclasse-di-ndarray", ARRAY, "return np.zeros(3).view(Agreeable)"),
        forged("byte-su-ogni-descrittore", WIRE, GARBAGE, ("sospetto",)),
        forged("messaggi-su-ogni-descrittore", WIRE, FRAME, ("sospetto",)),
        forged("traccia-e-ganci", TRACE, FROM_TRACE),
        forged("ricerca-in-memoria", "", GC),
        forged("risposte-riscritte", ANSWERS, "return 0"),
        forged("esportazioni-riscritte", EXPORTS, "return 0"),
        forged("json-e-pickle-sostituiti", MODULES, "return 0", ("sospetto", "interrotto", "valutato")),
        forged("filo-che-risponde-dopo", THREAD, "return 0", either),
        forged("fork-nella-chiamata", "", FORK, either),
        forged("uscite-finte", PRINTED, "print('Prova superata.')\nreturn 0"),
        forged("verifica-ridefinita", REDEFINED, "return 0"),
        forged("eccezione-propria", "", RAISING),
        forged("eccezione-attesa", "", EXPECTED_ERROR),
        forged("oggetto-chiamabile", CALLABLE, "return answer"),
        forged("ingressi-azzerati", "", INPLACE),
    ]
