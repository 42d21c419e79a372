"""Le chiamate di sistema vietate nel box, come programma BPF per `bwrap --seccomp`.

Un processo dell'allievo non ne ha bisogno; con esse potrebbe creare spazi dei nomi (e in uno nuovo montare
un disco in memoria oltre il limite), tenere memoria che i limiti non contano, guardare in altri processi,
parlare con l'esterno. Le chiamate più nuove dell'ultima che abbiamo guardato risultano inesistenti.
Fonte: «BSD Packet Filter» come lo usa seccomp(2); numeri delle chiamate dalle tabelle di Linux 6.10.
"""

from __future__ import annotations

import errno
import platform
import struct

# nome: (x86_64, aarch64); None dove non esiste
FORBIDDEN = {
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39),
    "pivot_root": (155, 41), "chroot": (161, 51), "open_tree": (428, 428), "move_mount": (429, 429),
    "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433),
    "mount_setattr": (442, 442), "statmount": (457, 457), "listmount": (458, 458),
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194), "semget": (64, 190),
    "msgget": (68, 186), "mq_open": (240, 180), "io_setup": (206, 0), "ptrace": (101, 117),
    "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "process_madvise": (440, 440),
    "pidfd_getfd": (438, 438), "kcmp": (312, 272), "bpf": (321, 280), "perf_event_open": (298, 241),
    "userfaultfd": (323, 282), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427), "add_key": (248, 217), "request_key": (249, 218),
    "keyctl": (250, 219), "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262), "kexec_load": (246, 104), "kexec_file_load": (320, 294),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106), "acct": (163, 89),
    "swapon": (167, 224), "swapoff": (168, 225), "reboot": (169, 142), "syslog": (103, 116),
    "quotactl": (179, 60), "quotactl_fd": (443, 443), "settimeofday": (164, 170),
    "clock_settime": (227, 112), "adjtimex": (159, 171), "clock_adjtime": (305, 266),
    "sethostname": (170, 161), "setdomainname": (171, 162), "vhangup": (153, 58),
    "lookup_dcookie": (212, 18), "personality": (135, 92), "iopl": (172, None), "ioperm": (173, None),
    "modify_ldt": (154, None), "uselib": (134, None), "ustat": (136, None), "sysfs": (139, None),
    # il capostipite ha lo stesso uid: rallentarlo, o legarlo, toccherebbe le passate e le consegne dopo
    "setpriority": (141, 140), "sched_setparam": (142, 118), "sched_setscheduler": (144, 119),
    "sched_setaffinity": (203, 122), "sched_setattr": (314, 274), "ioprio_set": (251, 30),
    # fra due consegne d'accordo sarebbero un canale: che cosa un'altra ha letto da /usr, che cosa apre
    "mincore": (27, 232), "fadvise64": (221, 223), "readahead": (187, 213), "cachestat": (451, 451),
    "preadv2": (327, 286), "pwritev2": (328, 287), "inotify_init": (253, None), "inotify_init1": (294, 26),
    "inotify_add_watch": (254, 27), "flock": (73, 32),
    # nessuna presa, di nessuna famiglia: né rete, né AF_VSOCK verso la macchina che ci ospita
    "socket": (41, 198), "connect": (42, 203), "bind": (49, 200), "listen": (50, 201),
    "setsockopt": (54, 208),
}  # fmt: skip
ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # colonna, nome per il nucleo
CLONE, MMAP, SOCKETPAIR, PRLIMIT = (56, 220), (9, 222), (53, 199), (302, 261)
FCNTL, IOCTL = (72, 25), (16, 29)
# Un descrittore del filo è lo stesso per il capostipite e per ogni passata: un segnale, un blocco, una misura
# lasciati lì colpirebbero la consegna dopo. F_SETOWN, F_SETSIG, F_SETOWN_EX, F_OFD_SETLK e LKW, F_SETLEASE,
# F_NOTIFY, F_SETPIPE_SZ; di F_SETFL: O_APPEND, O_ASYNC, O_DIRECT (sulle due architetture).
FCNTL_REFUSED, F_SETFL = (8, 10, 15, 37, 38, 1024, 1026, 1031), 4
FLAGS_REFUSED = 0x400 | 0x2000 | 0x4000 | 0x10000
IOCTL_REFUSED = (0x5452, 0x8901, 0x8902, 0x40086602, 0x401C5820)  # FIOASYNC, FIOSETOWN, SIOCSPGRP, FS_IOC_*
CLONE3 = 435
LAST = 462  # mseal, Linux 6.10
NEW_NAMESPACES = 0x7E020080  # CLONE_NEWUSER, NEWNS, NEWPID, NEWNET, NEWIPC, NEWUTS, NEWCGROUP, NEWTIME
SHARED_WITHOUT_FILE = 0x21  # MAP_SHARED | MAP_ANONYMOUS: il guardiano della memoria non la vedrebbe
AF_UNIX = 1  # soltanto in coppia (asyncio ne usa una): non si collega a nulla
X32 = 0x40000000

LOAD, EQUAL, AT_LEAST, ANY_BIT, AND, RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM
UNKNOWN = 0x00050000 | errno.ENOSYS  # così la libreria C ripiega su clone, di cui si vedono le opzioni
NUMBER, ARCHITECTURE, ARGUMENT = 0, 4, 16  # posizioni in struct seccomp_data; un argomento ogni 8 byte
NEXT = ""  # l'istruzione seguente


def program(machine: str | None = None) -> bytes | None:
    """Il filtro in byte, o None se l'architettura non è fra quelle note.

    machine: «x86_64» o «aarch64»; se manca, quella di questa macchina
    """
    known = ARCHITECTURES.get(machine or platform.machine())
    if known is None:
        return None
    column, architecture = known
    refused = [numbers[column] for numbers in FORBIDDEN.values() if numbers[column] is not None]
    code = [
        (LOAD, ARCHITECTURE), (EQUAL, architecture, NEXT, "refuse"), (LOAD, NUMBER),
        (AT_LEAST, X32, "refuse", NEXT), (AT_LEAST, LAST + 1, "unknown", NEXT),
        (EQUAL, CLONE3, "unknown", NEXT), (EQUAL, CLONE[column], "clone", NEXT),
        (EQUAL, MMAP[column], "mmap", NEXT), (EQUAL, SOCKETPAIR[column], "socketpair", NEXT),
        (EQUAL, PRLIMIT[column], "prlimit", NEXT), (EQUAL, FCNTL[column], "fcntl", NEXT),
        (EQUAL, IOCTL[column], "ioctl", NEXT),
    ]  # fmt: skip
    code += [(EQUAL, number, "refuse", NEXT) for number in refused]
    code += [
        (RETURN, ALLOW),
        "clone", (LOAD, ARGUMENT), (ANY_BIT, NEW_NAMESPACES, "refuse", "allow"),
        "socketpair", (LOAD, ARGUMENT), (EQUAL, AF_UNIX, "allow", "refuse"),
        "prlimit", (LOAD, ARGUMENT), (EQUAL, 0, "allow", "refuse"),  # i propri limiti, non quelli di altri
        "mmap", (LOAD, ARGUMENT + 3 * 8), (AND, SHARED_WITHOUT_FILE),
        (EQUAL, SHARED_WITHOUT_FILE, "refuse", "allow"),
        "fcntl", (LOAD, ARGUMENT + 8), *((EQUAL, command, "refuse", NEXT) for command in FCNTL_REFUSED),
        (EQUAL, F_SETFL, NEXT, "allow"), (LOAD, ARGUMENT + 2 * 8),
        (ANY_BIT, FLAGS_REFUSED, "refuse", "allow"),
        "ioctl", (LOAD, ARGUMENT + 8), *((EQUAL, command, "refuse", NEXT) for command in IOCTL_REFUSED),
        (RETURN, ALLOW),
        "refuse", (RETURN, REFUSE), "unknown", (RETURN, UNKNOWN), "allow", (RETURN, ALLOW),
    ]  # fmt: skip
    return _assemble(code)


def _assemble(code: list) -> bytes:
    """Da istruzioni con le mete per nome a byte: i salti si contano dall'istruzione seguente."""
    places: dict[str, int] = {}
    instructions: list[tuple] = []
    for item in code:
        if isinstance(item, str):
            places[item] = len(instructions)
        else:
            instructions.append(item)
    packed = []
    for here, (operation, k, *targets) in enumerate(instructions):
        jumps = [places[name] - here - 1 if name else 0 for name in targets] or [0, 0]
        packed.append(struct.pack("=HBBI", operation, *jumps, k))
    return b"".join(packed)
