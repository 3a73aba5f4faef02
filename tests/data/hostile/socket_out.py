# SPDX-License-Identifier: GPL-3.0-or-later
# @PORT@ is where the test listens.
import socket

print("connecting")
with socket.create_connection(("127.0.0.1", int("@PORT@")), timeout=1) as connection:
    connection.sendall(b"out")


def answer():
    return 41
