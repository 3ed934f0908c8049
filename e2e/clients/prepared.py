"""Many clients that keep prepared statements, through unixODBC and FreeTDS's ODBC driver.

ODBC is called directly: pyodbc binds its parameters anew for each execution, and FreeTDS prepares anew then. Where to connect
comes from the environment. The arguments are the number of the first client, and how many there are. Each line of standard
input is an order, and is answered by one line: "ok", the fewest and the most rounds that a client made; or "error" and what
went wrong first.
"""

import ctypes
import os
import sys
import threading

STATEMENTS = 4

# From sql.h and sqlext.h.
SQL_HANDLE_ENV, SQL_HANDLE_DBC, SQL_HANDLE_STMT = 1, 2, 3
SQL_ATTR_ODBC_VERSION, SQL_OV_ODBC3 = 200, 3
SQL_NTS = -3
SQL_SUCCESS, SQL_SUCCESS_WITH_INFO, SQL_NO_DATA = 0, 1, 100
SQL_PARAM_INPUT = 1
SQL_INTEGER, SQL_C_SLONG = 4, -16

odbc = ctypes.CDLL("libodbc.so.2")

# unixODBC looks up where its files are once, and marks that as done without a lock: a thread that allocates an environment or
# connects at the same moment may look in another place, and not find the driver.
connecting = threading.Lock()


def check(result, kind, handle, *also):
    if result in (SQL_SUCCESS, SQL_SUCCESS_WITH_INFO) or result in also:
        return result
    state, text = ctypes.create_string_buffer(6), ctypes.create_string_buffer(1024)
    number, length = ctypes.c_int(), ctypes.c_short()
    odbc.SQLGetDiagRec(kind, handle, 1, state, ctypes.byref(number), text, len(text), ctypes.byref(length))
    raise RuntimeError("%s %d %s" % (state.value.decode(), number.value, text.value.decode(errors="replace")))


def allocate(kind, parent):
    handle = ctypes.c_void_p()
    odbc.SQLAllocHandle(kind, parent, ctypes.byref(handle))
    return handle


class Statement:
    """Prepared at its first execution, and executed again with other values in the same place."""

    def __init__(self, connection, sql, parameters):
        self.handle = allocate(SQL_HANDLE_STMT, connection)
        self.values = [ctypes.c_int() for _ in range(parameters)]
        self.check(odbc.SQLPrepare(self.handle, sql.encode(), SQL_NTS))
        for index, value in enumerate(self.values):
            place = ctypes.c_ushort(index + 1)
            self.check(
                odbc.SQLBindParameter(
                    self.handle,
                    place,
                    SQL_PARAM_INPUT,
                    SQL_C_SLONG,
                    SQL_INTEGER,
                    ctypes.c_size_t(0),
                    0,
                    ctypes.byref(value),
                    ctypes.c_ssize_t(0),
                    None,
                )
            )

    def check(self, result, *also):
        return check(result, SQL_HANDLE_STMT, self.handle, *also)

    def execute(self, *values):
        for place, value in zip(self.values, values):
            place.value = value
        self.check(odbc.SQLExecute(self.handle))

    def answer(self, *values):
        self.execute(*values)
        rows = []
        found = ctypes.c_int()
        length = ctypes.c_ssize_t()
        while self.check(odbc.SQLFetch(self.handle), SQL_NO_DATA) != SQL_NO_DATA:
            self.check(
                odbc.SQLGetData(
                    self.handle, 1, SQL_C_SLONG, ctypes.byref(found), ctypes.c_ssize_t(4), ctypes.byref(length)
                )
            )
            rows.append(found.value)
        self.end()
        return rows

    def end(self):
        """A result that is not read to its end keeps the other statements waiting."""
        while self.check(odbc.SQLMoreResults(self.handle), SQL_NO_DATA) != SQL_NO_DATA:
            pass

    def close(self):
        odbc.SQLFreeHandle(SQL_HANDLE_STMT, self.handle)


class Client:
    def __init__(self, number):
        self.number = number
        self.asked = 0
        self.environment = None
        self.connection = None
        self.statements = []

    def connect(self):
        with connecting:
            self.environment = allocate(SQL_HANDLE_ENV, None)
        odbc.SQLSetEnvAttr(self.environment, SQL_ATTR_ODBC_VERSION, ctypes.c_void_p(SQL_OV_ODBC3), 0)
        self.connection = allocate(SQL_HANDLE_DBC, self.environment)
        where = "DRIVER=FreeTDS;TDS_Version=7.4;SERVER={};PORT={};UID={};PWD={};DATABASE={}".format(
            *(os.environ["MATRIX_" + name] for name in ("HOST", "PORT", "USER", "PASSWORD", "DATABASE"))
        )
        length = ctypes.c_short()
        with connecting:
            connected = odbc.SQLDriverConnect(
                self.connection, None, where.encode(), SQL_NTS, None, 0, ctypes.byref(length), 0
            )
        check(connected, SQL_HANDLE_DBC, self.connection)
        self.statements = [
            Statement(self.connection, "SELECT ? * 10 + %d AS answer" % index, 1) for index in range(STATEMENTS)
        ]

    def ask(self):
        for index, statement in enumerate(self.statements):
            self.asked += 1
            value = self.number * 1000 + self.asked
            rows = statement.answer(value)
            if rows != [value * 10 + index]:
                raise AssertionError("client %d got %r for %d" % (self.number, rows, value))

    def write(self, rows):
        insert = Statement(self.connection, "INSERT INTO written (client, n) VALUES (?, ?)", 2)
        for n in range(rows):
            insert.execute(self.number, n)
            insert.end()
        insert.close()

    def close(self):
        for statement in self.statements:
            statement.close()
        odbc.SQLDisconnect(self.connection)
        odbc.SQLFreeHandle(SQL_HANDLE_DBC, self.connection)
        odbc.SQLFreeHandle(SQL_HANDLE_ENV, self.environment)


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
