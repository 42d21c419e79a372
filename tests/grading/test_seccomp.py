"""Il filtro delle chiamate di sistema, eseguito passo passo per le due architetture."""

from __future__ import annotations

import struct

import pytest

from course_lib.grading import seccomp


def decide(machine: str, number: int, architecture: int, argument: int = 0) -> int:
    """Che cosa risponde il filtro: un piccolo interprete del BPF classico."""
    raw = seccomp.program(machine)
    code = [struct.unpack("=HBBI", raw[i : i + 8]) for i in range(0, len(raw), 8)]
    data = {seccomp.NUMBER: number, seccomp.ARCHITECTURE: architecture, seccomp.FIRST_ARGUMENT: argument}
    tests = {
        seccomp.EQUAL: lambda a, k: a == k,
        seccomp.AT_LEAST: lambda a, k: a >= k,
        seccomp.ANY_BIT: lambda a, k: a & k != 0,
    }
    accumulator = place = 0
    while True:
        operation, if_true, if_false, k = code[place]
        place += 1
        if operation == seccomp.RETURN:
            return k
        if operation == seccomp.LOAD:
            accumulator = data[k]
        else:
            place += if_true if tests[operation](accumulator, k) else if_false


@pytest.mark.parametrize("machine", seccomp.ARCHITECTURES)
def test_the_filter_refuses_what_it_names_and_nothing_else(machine):
    column, architecture, clone = seccomp.ARCHITECTURES[machine]
    for numbers in seccomp.FORBIDDEN.values():
        assert decide(machine, numbers[column], architecture) == seccomp.REFUSE
    named = {numbers[column] for numbers in seccomp.FORBIDDEN.values()} | {clone, seccomp.CLONE3}
    for number in set(range(460)) - named:
        assert decide(machine, number, architecture) == seccomp.ALLOW
    assert decide(machine, seccomp.CLONE3, architecture) == seccomp.UNKNOWN


@pytest.mark.parametrize("machine", seccomp.ARCHITECTURES)
def test_clone_makes_processes_but_no_namespaces(machine):
    _, architecture, clone = seccomp.ARCHITECTURES[machine]
    assert decide(machine, clone, architecture, 0x01200011) == seccomp.ALLOW  # fork
    assert decide(machine, clone, architecture, 0x003D0F00) == seccomp.ALLOW  # un thread
    for flag in (0x10000000, 0x00020000, 0x20000000, 0x40000000, 0x08000000, 0x04000000, 0x02000000, 0x80):
        assert decide(machine, clone, architecture, flag | 17) == seccomp.REFUSE


@pytest.mark.parametrize("machine", seccomp.ARCHITECTURES)
def test_calls_of_another_architecture_are_refused(machine):
    _, architecture, _ = seccomp.ARCHITECTURES[machine]
    assert decide(machine, 1, 0x40000003) == seccomp.REFUSE
    assert decide(machine, seccomp.X32 | 1, architecture) == seccomp.REFUSE


def test_an_unknown_architecture_has_no_filter():
    assert seccomp.program("riscv64") is None
