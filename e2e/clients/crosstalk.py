"""Sessions of many clients through python-tds, for the test that no client sees what is another's.

Orders come on standard input, a line each: number, client, verb and arguments, separated by tabs. Answers go to standard
output: the order's number, `ok` or the number of the error, and the value or the text. Each client has a thread that
carries out its orders in turn, except that `die` is carried out at once, whatever the thread waits for.
"""

import os
import queue
import socket
import sys
import threading

import pytds

OUTPUT = threading.Lock()


class Client:
    def __init__(self):
        self.orders = queue.SimpleQueue()
        self.connection = None
        self.socket = None
        threading.Thread(target=self.work, daemon=True).start()

    def work(self):
        while True:
            number, verb, arguments = self.orders.get()
            try:
                answer(number, "ok", getattr(self, verb)(*arguments) or "")
            except Exception as error:
                answer(number, getattr(error, "number", None) or 0, repr(error))

    def connect(self):
        self.socket = socket.create_connection((os.environ["MATRIX_HOST"], int(os.environ["MATRIX_PORT"])))
        self.connection = pytds.connect(
            dsn=os.environ["MATRIX_HOST"],
            port=int(os.environ["MATRIX_PORT"]),
            user=os.environ["MATRIX_USER"],
            password=os.environ["MATRIX_PASSWORD"],
            database=os.environ["MATRIX_DATABASE"],
            sock=self.socket,
            login_timeout=120,
            disable_connect_retry=True,
            autocommit=True,
        )

    def ask(self, sql):
        return ",".join(self.run(self.connection.cursor(), sql))

    def prepared(self, sql, values):
        cursor = self.connection.cursor()
        found = []
        for value in values.split(","):
            found += self.run(cursor, sql.replace("?", "%s"), (int(value),))
        return ",".join(found)

    def run(self, cursor, sql, parameters=()):
        cursor.execute(sql, parameters)
        found = []
        more = True
        while more:
            if cursor.description:
                found += ["NULL" if row[0] is None else str(row[0]) for row in cursor.fetchall()]
            more = cursor.nextset()
        return found

    def cancel(self, sql, after):
        """Only the thread that runs a request can cancel it: once execute() is back, with the first result."""
        cursor = self.connection.cursor()
        cursor.execute(sql)
        found = str(cursor.fetchone()[0]) if int(after) % 2 else ""
        cursor.cancel()
        return found

    def begin(self):
        self.connection.autocommit = False

    def commit(self):
        self.connection.commit()
        self.connection.autocommit = True

    def rollback(self):
        self.connection.rollback()
        self.connection.autocommit = True

    def reset(self):
        self.close()
        self.connect()

    def die(self):
        # What was not read makes this a reset, as when a process is killed.
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()

    def close(self):
        if self.connection:
            self.connection.close()


def answer(number, outcome, text):
    with OUTPUT:
        print(number, outcome, text.replace("\t", " ").replace("\n", " "), sep="\t", flush=True)


def main():
    clients = {}
    for line in sys.stdin:
        number, client, verb, *arguments = line.rstrip("\n").split("\t")
        if client not in clients:
            clients[client] = Client()
        if verb == "die":
            clients[client].die()
            answer(number, "ok", "")
        else:
            clients[client].orders.put((number, verb, arguments))


main()
