"""Many clients that keep prepared statements, through pyodbc, unixODBC and FreeTDS's ODBC driver.

Where to connect comes from the environment. The arguments are the number of the first client, and how many there are. Each
line of standard input is an order, and is answered by one line: "ok", the fewest and the most rounds that a client made; or
"error" and what went wrong first.
"""

import os
import sys
import threading

import pyodbc

STATEMENTS = 4

pyodbc.pooling = False  # a connection belongs to one client


def connect():
    return pyodbc.connect(
        "DRIVER=FreeTDS;TDS_Version=7.4;ClientCharset=UTF-8;SERVER={};PORT={};UID={};PWD={};DATABASE={}".format(
            *(os.environ["MATRIX_" + name] for name in ("HOST", "PORT", "USER", "PASSWORD", "DATABASE"))
        ),
        autocommit=True,
    )


class Client:
    """One connection. A cursor keeps what it has prepared for as long as it is asked the same."""

    def __init__(self, number):
        self.number = number
        self.asked = 0
        self.connection = None
        self.cursors = []

    def connect(self):
        self.connection = connect()
        self.cursors = [self.connection.cursor() for _ in range(STATEMENTS + 1)]

    def ask(self):
        for statement in range(STATEMENTS):
            self.asked += 1
            value = self.number * 1000 + self.asked
            row = self.cursors[statement].execute("SELECT ? * 10 + %d AS answer" % statement, value).fetchone()
            if row[0] != value * 10 + statement:
                raise AssertionError("client %d got %r for %d" % (self.number, row[0], value))

    def write(self, rows):
        for n in range(rows):
            self.cursors[STATEMENTS].execute("INSERT INTO written (client, n) VALUES (?, ?)", self.number, n)

    def close(self):
        for cursor in self.cursors:
            cursor.close()
        self.connection.close()


def ask(clients, at_least):
    """Each asks until all of them have asked so often."""
    rounds = [0] * len(clients)
    behind = len(clients)
    lock = threading.Lock()

    def live(index, client):
        nonlocal behind
        while behind > 0:
            client.ask()
            rounds[index] += 1
            if rounds[index] == at_least:
                with lock:
                    behind -= 1

    together(clients, live)
    return "%d %d" % (min(rounds), max(rounds))


def together(clients, action):
    errors = []

    def run(index, client):
        try:
            action(index, client)
        except Exception as error:  # whatever it is, the test is to be told
            errors.append("client %d: %r" % (client.number, error))

    threads = [threading.Thread(target=run, args=pair, daemon=True) for pair in enumerate(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        while thread.is_alive() and not errors:
            thread.join(0.1)
    if errors:
        raise RuntimeError(errors[0])


def main():
    first, count = int(sys.argv[1]), int(sys.argv[2])
    clients = [Client(first + i) for i in range(count)]
    orders = {
        "connect": lambda: together(clients, lambda _, client: client.connect()),
        "ask": lambda at_least: ask(clients, int(at_least)),
        "write": lambda rows: together(clients, lambda _, client: client.write(int(rows))),
        "close": lambda: together(clients, lambda _, client: client.close()),
    }
    for line in sys.stdin:
        order, *arguments = line.split()
        try:
            print("ok", orders[order](*arguments) or "0 0", flush=True)
        except Exception as error:
            print("error", str(error).replace("\n", " "), flush=True)


main()
