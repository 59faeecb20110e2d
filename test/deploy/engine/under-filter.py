"""Runs a program as user nobody, with a filter of system calls: under-filter.py FILTER PROGRAM [ARGUMENT ...]"""

import ctypes
import os
import pwd
import struct
import sys

PR_SET_SECCOMP, SECCOMP_MODE_FILTER, PR_SET_NO_NEW_PRIVS = 22, 2, 38

filter_file, *command = sys.argv[1:]
with open(filter_file, "rb") as file:
    instructions = file.read()
libc = ctypes.CDLL(None, use_errno=True)
nobody = pwd.getpwnam("nobody")
os.setgroups([])
os.setgid(nobody.pw_gid)
os.setuid(nobody.pw_uid)
memory = ctypes.create_string_buffer(instructions, len(instructions))
program = struct.pack("HxxxxxxQ", len(instructions) // 8, ctypes.addressof(memory))
if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program):
    sys.exit(f"the filter cannot be loaded: {os.strerror(ctypes.get_errno())}")
os.execvp(command[0], command)
