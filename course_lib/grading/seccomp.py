"""Le chiamate di sistema vietate nel box, come programma BPF per `bwrap --seccomp`.

Un processo dell'allievo non ne ha bisogno; con esse potrebbe creare spazi dei nomi (e in uno nuovo montare
un disco in memoria oltre il limite), tenere memoria che i limiti non contano, guardare in altri processi.
Fonte: «BSD Packet Filter» come lo usa seccomp(2); numeri delle chiamate dalle tabelle di Linux.
"""

from __future__ import annotations

import errno
import platform
import struct

# nome: (x86_64, aarch64)
FORBIDDEN = {
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39),
    "pivot_root": (155, 41), "chroot": (161, 51), "open_tree": (428, 428), "move_mount": (429, 429),
    "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432), "mount_setattr": (442, 442),
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194), "semget": (64, 190),
    "msgget": (68, 186), "ptrace": (101, 117), "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271), "pidfd_getfd": (438, 438), "kcmp": (312, 272), "bpf": (321, 280),
    "perf_event_open": (298, 241), "userfaultfd": (323, 282), "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "add_key": (248, 217),
    "request_key": (249, 218), "keyctl": (250, 219), "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265), "kexec_load": (246, 104), "init_module": (175, 105),
    "finit_module": (313, 273), "delete_module": (176, 106), "acct": (163, 89), "swapon": (167, 224),
}  # fmt: skip
ARCHITECTURES = {
    "x86_64": (0, 0xC000003E, 56),
    "aarch64": (1, 0xC00000B7, 220),
}  # colonna, nome, numero di clone
CLONE3 = 435
NEW_NAMESPACES = 0x7E020080  # CLONE_NEWUSER, NEWNS, NEWPID, NEWNET, NEWIPC, NEWUTS, NEWCGROUP, NEWTIME
X32 = 0x40000000

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM
UNKNOWN = 0x00050000 | errno.ENOSYS  # così la libreria C ripiega su clone, di cui si vedono le opzioni
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16  # posizioni in struct seccomp_data


def program(machine: str | None = None) -> bytes | None:
    """Il filtro in byte, o None se l'architettura non è fra quelle note.

    machine: «x86_64» o «aarch64»; se manca, quella di questa macchina
    """
    known = ARCHITECTURES.get(machine or platform.machine())
    if known is None:
        return None
    column, architecture, clone = known
    forbidden = [numbers[column] for numbers in FORBIDDEN.values()]
    n = len(forbidden)
    # in fondo: ALLOW, guardia di clone (2), REFUSE, UNKNOWN; i salti si contano dall'istruzione seguente
    code = [(LOAD, 0, 0, ARCHITECTURE), (EQUAL, 0, n + 7, architecture), (LOAD, 0, 0, NUMBER)]
    code += [(AT_LEAST, n + 5, 0, X32), (EQUAL, n + 5, 0, CLONE3), (EQUAL, n + 1, 0, clone)]
    code += [(EQUAL, n - i + 2, 0, number) for i, number in enumerate(forbidden)]
    code += [(RETURN, 0, 0, ALLOW), (LOAD, 0, 0, FIRST_ARGUMENT), (ANY_BIT, 0, 2, NEW_NAMESPACES)]
    code += [(RETURN, 0, 0, REFUSE), (RETURN, 0, 0, UNKNOWN), (RETURN, 0, 0, ALLOW)]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in code)
