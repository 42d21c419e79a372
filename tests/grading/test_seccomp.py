"""Il filtro delle chiamate di sistema, eseguito passo passo per le due architetture."""

from __future__ import annotations

import struct

import pytest

from course_lib.grading import sandbox, seccomp
from course_lib.project import CorsoError


def decide(machine: str, number: int, architecture: int, *arguments: int) -> int:
    """Che cosa risponde il filtro: un piccolo interprete del BPF classico."""
    raw = seccomp.program(machine)
    code = [struct.unpack("=HBBI", raw[i : i + 8]) for i in range(0, len(raw), 8)]
    data = {seccomp.NUMBER: number, seccomp.ARCHITECTURE: architecture}
    given = (*arguments, *[0] * (6 - len(arguments)))
    data |= {seccomp.ARGUMENT + 8 * i: value for i, value in enumerate(given)}
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
        elif operation == seccomp.AND:
            accumulator &= k
        else:
            place += if_true if tests[operation](accumulator, k) else if_false


@pytest.mark.parametrize("machine", seccomp.ARCHITECTURES)
def test_the_filter_refuses_what_it_names_and_nothing_else(machine):
    column, architecture = seccomp.ARCHITECTURES[machine]
    named = {numbers[column] for numbers in seccomp.FORBIDDEN.values()} - {None}
    for number in named:
        assert decide(machine, number, architecture) == seccomp.REFUSE
    looked_at = {seccomp.CLONE[column], seccomp.SOCKETPAIR[column], seccomp.CLONE3}
    for number in set(range(seccomp.LAST + 1)) - named - looked_at:
        assert decide(machine, number, architecture) == seccomp.ALLOW
    assert decide(machine, seccomp.CLONE3, architecture) == seccomp.UNKNOWN


@pytest.mark.parametrize("machine", seccomp.ARCHITECTURES)
def test_nothing_can_be_left_on_a_descriptor(machine):
    column, architecture = seccomp.ARCHITECTURES[machine]
    fcntl, ioctl, direct = seccomp.FCNTL[column], seccomp.IOCTL[column], (0x4000, 0x10000)[column]
    for command in (8, 10, 15, 37, 38, 1024, 1026, 1031):
        assert decide(machine, fcntl, architecture, 3, command, 1) == seccomp.REFUSE
    for flags in (0x400, 0x2000, 0x2800, direct):  # O_APPEND, O_ASYNC, O_ASYNC e O_NONBLOCK, O_DIRECT
        assert decide(machine, fcntl, architecture, 3, 4, flags) == seccomp.REFUSE
    for command, flags in ((0, 0), (1, 0), (2, 1), (3, 0), (4, 0x800), (4, 0x8002), (6, 0), (1030, 0)):
        assert decide(machine, fcntl, architecture, 3, command, flags) == seccomp.ALLOW
    for command in (0x5452, 0x8901, 0x8902, 0x40086602):
        assert decide(machine, ioctl, architecture, 3, command) == seccomp.REFUSE
    assert decide(machine, ioctl, architecture, 3, 0x5421) == seccomp.ALLOW  # FIONBIO: set_blocking


@pytest.mark.parametrize("machine", seccomp.ARCHITECTURES)
def test_calls_newer_than_the_list_do_not_exist(machine):
    _, architecture = seccomp.ARCHITECTURES[machine]
    for number in (seccomp.LAST + 1, 467, 10_000):
        assert decide(machine, number, architecture) == seccomp.UNKNOWN


@pytest.mark.parametrize("machine", seccomp.ARCHITECTURES)
def test_clone_makes_processes_but_no_namespaces(machine):
    column, architecture = seccomp.ARCHITECTURES[machine]
    clone = seccomp.CLONE[column]
    assert decide(machine, clone, architecture, 0x01200011) == seccomp.ALLOW  # fork
    assert decide(machine, clone, architecture, 0x003D0F00) == seccomp.ALLOW  # un thread
    for flag in (0x10000000, 0x00020000, 0x20000000, 0x40000000, 0x08000000, 0x04000000, 0x02000000, 0x80):
        assert decide(machine, clone, architecture, flag | 17) == seccomp.REFUSE


@pytest.mark.parametrize("machine", seccomp.ARCHITECTURES)
def test_shared_memory_without_a_file_is_refused_and_private_is_not(machine):
    column, architecture = seccomp.ARCHITECTURES[machine]
    private, shared, anonymous, populate = 0x02, 0x01, 0x20, 0x8000
    for flags, answer in (
        (private | anonymous, seccomp.ALLOW),
        (private, seccomp.ALLOW),
        (shared, seccomp.ALLOW),  # di un file, che /tmp conta
        (shared | anonymous, seccomp.REFUSE),
        (shared | anonymous | populate, seccomp.REFUSE),
    ):
        assert decide(machine, seccomp.MMAP[column], architecture, 0, 4096, 3, flags) == answer


@pytest.mark.parametrize("machine", seccomp.ARCHITECTURES)
@pytest.mark.parametrize("family", [2, 10, 16, 17, 38, 40])  # INET, INET6, NETLINK, PACKET, ALG, VSOCK
def test_sockets_exist_only_as_a_local_pair(machine, family):
    column, architecture = seccomp.ARCHITECTURES[machine]
    pair, single = seccomp.SOCKETPAIR[column], seccomp.FORBIDDEN["socket"][column]
    assert decide(machine, pair, architecture, seccomp.AF_UNIX) == seccomp.ALLOW
    assert decide(machine, pair, architecture, family) == seccomp.REFUSE
    assert decide(machine, single, architecture, family) == seccomp.REFUSE
    assert decide(machine, single, architecture, seccomp.AF_UNIX) == seccomp.REFUSE


@pytest.mark.parametrize("machine", seccomp.ARCHITECTURES)
def test_limits_of_another_process_cannot_be_set(machine):
    column, architecture = seccomp.ARCHITECTURES[machine]
    assert decide(machine, seccomp.PRLIMIT[column], architecture, 0) == seccomp.ALLOW
    assert decide(machine, seccomp.PRLIMIT[column], architecture, 1) == seccomp.REFUSE


@pytest.mark.parametrize("machine", seccomp.ARCHITECTURES)
def test_calls_of_another_architecture_are_refused(machine):
    _, architecture = seccomp.ARCHITECTURES[machine]
    assert decide(machine, 1, 0x40000003) == seccomp.REFUSE
    assert decide(machine, seccomp.X32 | 1, architecture) == seccomp.REFUSE


def test_an_unknown_architecture_has_no_filter():
    assert seccomp.program("riscv64") is None


def test_an_unknown_architecture_is_not_graded_on(monkeypatch):
    monkeypatch.setattr(sandbox.platform, "machine", lambda: "riscv64")
    monkeypatch.setattr(sandbox.shutil, "which", lambda name: "/usr/bin/bwrap")
    with pytest.raises(CorsoError, match=r"questo è riscv64.*--senza-isolamento"):
        sandbox.find_isolation.__wrapped__()
    with pytest.raises(CorsoError):
        sandbox.system_call_filter(sandbox.Isolation("root"))
    assert sandbox.system_call_filter(sandbox.Isolation("none")) is None
