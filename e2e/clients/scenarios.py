"""The scenarios of the driver matrix, for any Python DB-API driver.

A driver's program makes a Driver and calls main(). Each line of standard input is a scenario to play, and the table that it
may use; where to connect comes from the environment (so that the password is in no process list). Each fact that the scenario
finds is one line on standard output; the test that started the program knows which facts are right. What goes wrong is an
exception: a traceback on standard error, and status 1. On both outputs a last line says that the scenario is over.
"""

import datetime
import decimal
import os
import sys
import threading
import uuid

ROWS_TO_LOAD = 1000
A_MILLION = 1_000_000

HOST = os.environ["MATRIX_HOST"]
PORT = int(os.environ["MATRIX_PORT"])
USER = os.environ["MATRIX_USER"]
PASSWORD = os.environ["MATRIX_PASSWORD"]
DATABASE = os.environ["MATRIX_DATABASE"]
COLUMNS = os.environ.get("MATRIX_COLUMNS", "")
CERTIFICATE = os.environ.get("MATRIX_CERTIFICATE")
OPEN = []
TABLE = None


class Driver:
    """What differs between drivers. `mark` is the parameter marker of the driver's paramstyle."""

    mark = "?"

    def connect(self, user=USER, password=PASSWORD, database=DATABASE):
        raise NotImplementedError

    def set_autocommit(self, connection, on):
        raise NotImplementedError

    def error_number(self, error):
        raise NotImplementedError

    def error_text(self, error):
        raise NotImplementedError

    def call_procedure(self, cursor):
        """Calls matrix_add 20, 22 and returns (row, sum, said, status). A batch takes the output parameters and
        selects them, which is the usual way where a driver can't."""
        cursor.execute(
            "DECLARE @sum int, @said nvarchar(40), @status int; "
            "EXEC @status = matrix_add {0}, {0}, @sum OUTPUT, @said OUTPUT; SELECT @sum, @said, @status".format(self.mark),
            (20, 22),
        )
        row = cursor.fetchone()[0]
        cursor.nextset()
        return (row, *cursor.fetchone())

    def cancel(self, connection, cursor):
        """Cancels what the cursor is running; called from another thread."""
        raise NotImplementedError

    def cancel_waitfor(self, connection):
        """Runs a WAITFOR of a minute, and cancels it."""
        cursor = connection.cursor()

        def wait():
            try:
                cursor.execute("WAITFOR DELAY '00:01:00'")
            except Exception:
                pass  # Some drivers raise what was cancelled, and some don't.

        waiting = threading.Thread(target=wait, daemon=True)
        waiting.start()
        # FreeTDS has one buffer for both, and aborts if it is cancelled while it writes the request: that takes it some
        # microseconds. Asks again until the WAITFOR ends: a cancel that comes before the request was sent cancels nothing.
        waiting.join(0.2)
        while waiting.is_alive():
            self.cancel(connection, cursor)
            waiting.join(0.2)

    def bulk_load(self, connection, rows):
        raise NotImplementedError

    def messages(self, connection, cursor):
        """The texts that PRINT sent, so far."""
        raise NotImplementedError

    def binary(self, value):
        return value


def opened(driver, **settings):
    """A connection that lives as long as the program: some drivers close what nobody refers to."""
    connection = driver.connect(**settings)
    OPEN.append(connection)
    return connection


def fraction(microseconds):
    return ".{:06}".format(microseconds).rstrip("0").rstrip(".")


def offset(zone):
    minutes = int(zone.total_seconds() // 60)
    return " {}{:02}:{:02}".format("-" if minutes < 0 else "+", abs(minutes) // 60, abs(minutes) % 60)


def shown(value):
    """A value as the matrix writes it: the same text in every language."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, decimal.Decimal):
        return "{:f}".format(value)
    if isinstance(value, datetime.datetime):
        text = "{:04}-{:02}-{:02} {:02}:{:02}:{:02}".format(*value.timetuple()[:6]) + fraction(value.microsecond)
        return text if value.tzinfo is None else text + offset(value.utcoffset())
    if isinstance(value, datetime.date):
        return "{:04}-{:02}-{:02}".format(*value.timetuple()[:3])
    if isinstance(value, datetime.time):
        return "{:02}:{:02}:{:02}".format(value.hour, value.minute, value.second) + fraction(value.microsecond)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return "0x" + bytes(value).hex().upper()
    if isinstance(value, uuid.UUID):
        return str(value).upper()
    return str(value)


def fact(name, value):
    print("{}={}".format(name, shown(value)), flush=True)


def one(cursor, sql, parameters=None):
    cursor.execute(sql, parameters) if parameters else cursor.execute(sql)
    return cursor.fetchone()[0]


def number_of(driver, action):
    """The number of the error that the action must end with."""
    try:
        action()
    except Exception as error:
        return driver.error_number(error)
    return "no error"


def every_type(driver):
    cursor = opened(driver).cursor()
    cursor.execute("SELECT {} FROM every_type ORDER BY id".format(COLUMNS))
    names = [column[0] for column in cursor.description]
    for number, row in enumerate(cursor.fetchall(), 1):
        for name, value in zip(names, row):
            fact("row {} {}".format(number, name), value)


def parameters(driver):
    cursor = opened(driver).cursor()
    sent = [
        ("int", "int", -2147483648),
        ("bigint", "bigint", 9007199254740993),
        ("bit", "bit", True),
        ("decimal", "decimal(18,4)", decimal.Decimal("12345.6789")),
        ("float", "float", 0.1),
        ("nvarchar", "nvarchar(50)", "olá 日本語 😀"),
        ("varbinary", "varbinary(20)", driver.binary(b"\x00\xff\x10")),
        ("datetime", "datetime", datetime.datetime(2024, 2, 29, 12, 34, 56, 790000)),
        ("null", "int", None),
    ]
    select = ", ".join("CAST({} AS {})".format(driver.mark, kind) for _, kind, _ in sent)
    cursor.execute("SELECT " + select, tuple(value for _, _, value in sent))
    for (name, _, _), value in zip(sent, cursor.fetchone()):
        fact(name, value)


def prepared(driver):
    connection = opened(driver)
    driver.set_autocommit(connection, True)
    cursor = connection.cursor()
    insert = "INSERT INTO {0} (id, name) VALUES ({1}, {1})".format(TABLE, driver.mark)
    for number in range(1, 21):
        cursor.execute(insert, (number, "row {}".format(number)))
    select = "SELECT name FROM {} WHERE id = {}".format(TABLE, driver.mark)
    fact("names", ",".join(one(cursor, select, (number,)) for number in range(1, 21)))


def in_transaction(driver):
    connection = opened(driver)
    driver.set_autocommit(connection, False)
    cursor = connection.cursor()
    cursor.execute("INSERT INTO {} (id, name) VALUES (1, 'kept')".format(TABLE))
    fact("inside", one(cursor, "SELECT COUNT(*) FROM " + TABLE))
    return connection, cursor


def committed(driver):
    connection, _ = in_transaction(driver)
    connection.commit()


def rolled_back(driver):
    connection, cursor = in_transaction(driver)
    connection.rollback()
    fact("after", one(cursor, "SELECT COUNT(*) FROM " + TABLE))


def temp_table(driver):
    connection, other = opened(driver), opened(driver)
    driver.set_autocommit(connection, True)
    cursor = connection.cursor()
    cursor.execute("CREATE TABLE #mine (n int)")
    cursor.execute("INSERT INTO #mine VALUES (1), (2)")
    fact("own", one(cursor, "SELECT SUM(n) FROM #mine"))
    fact("other", number_of(driver, lambda: other.cursor().execute("SELECT n FROM #mine")))


def procedure(driver):
    row, total, said, status = driver.call_procedure(opened(driver).cursor())
    fact("row", row)
    fact("sum", total)
    fact("said", said)
    fact("status", status)


def many_rows(driver):
    cursor = opened(driver).cursor()
    cursor.execute("SELECT id, name FROM hundred_thousand")
    rows = total = characters = 0
    while chunk := cursor.fetchmany(1000):
        rows += len(chunk)
        total += sum(row[0] for row in chunk)
        characters += sum(len(row[1]) for row in chunk)
    fact("rows", rows)
    fact("sum", total)
    fact("characters", characters)


def several_results(driver):
    connection = opened(driver)
    driver.set_autocommit(connection, True)
    cursor = connection.cursor()
    # Of a batch's counts, Python's drivers tell only some: so it is asked of a statement alone.
    cursor.execute("INSERT INTO {} (id, name) VALUES (1, 'one'), (2, 'two')".format(TABLE))
    inserted = cursor.rowcount
    cursor.execute("SELECT 1 AS a; UPDATE {0} SET amount = NULL; SELECT name FROM {0} ORDER BY id; PRINT 'done'".format(TABLE))
    results, said = [], []
    more = True
    while more:
        rows = [row[0] for row in cursor.fetchall()] if cursor.description else []
        if rows:
            results.append(rows)
        said += driver.messages(connection, cursor)
        more = cursor.nextset()
    said += driver.messages(connection, cursor)
    fact("first", results[0][0])
    fact("inserted", inserted)
    fact("names", ",".join(results[1]))
    fact("said", ",".join(dict.fromkeys(said)))


def large_value(driver):
    cursor = opened(driver).cursor()
    sent = "0123456789" * (A_MILLION // 10)
    got = one(cursor, "SELECT CAST({} AS nvarchar(max))".format(driver.mark), (sent,))
    fact("length", len(got))
    fact("same", got == sent)


def cancelled(driver):
    connection = opened(driver)
    driver.cancel_waitfor(connection)
    print("cancelled", flush=True)
    fact("then", one(connection.cursor(), "SELECT 1"))


def bulk_load(driver):
    rows = [
        (number, None if number % 10 == 0 else "row {}".format(number), decimal.Decimal(number) / 4)
        for number in range(1, ROWS_TO_LOAD + 1)
    ]
    connection = opened(driver)
    driver.set_autocommit(connection, True)
    driver.bulk_load(connection, rows)
    print("loaded", flush=True)


def errors(driver):
    connection = opened(driver)
    driver.set_autocommit(connection, True)
    cursor = connection.cursor()
    fact("missing table", number_of(driver, lambda: cursor.execute("SELECT * FROM no_such_table")))
    insert = "INSERT INTO {} (id, name) VALUES (1, 'one')".format(TABLE)
    cursor.execute(insert)
    fact("duplicate key", number_of(driver, lambda: cursor.execute(insert)))
    fact("syntax", number_of(driver, lambda: cursor.execute("SELECT 1 +")))
    fact("division by zero", number_of(driver, lambda: one(cursor, "SELECT 1 / (1 - 1)")))
    try:
        cursor.execute("RAISERROR('the gate is closed', 16, 1)")
    except Exception as error:
        fact("raised", "{} {}".format(driver.error_number(error), driver.error_text(error)))
    fact("then", one(cursor, "SELECT 1"))


def login_failed(driver):
    fact("login", number_of(driver, lambda: driver.connect(password="wrong")))


def unknown_database(driver):
    fact("login", number_of(driver, lambda: driver.connect(database="no_such_database")))


def main(driver):
    scenarios = {
        "EVERY_TYPE": every_type,
        "PARAMETERS": parameters,
        "PREPARED": prepared,
        "COMMITTED": committed,
        "ROLLED_BACK": rolled_back,
        "TEMP_TABLE": temp_table,
        "PROCEDURE": procedure,
        "MANY_ROWS": many_rows,
        "SEVERAL_RESULTS": several_results,
        "LARGE_VALUE": large_value,
        "CANCELLED": cancelled,
        "BULK_LOAD": bulk_load,
        "ERRORS": errors,
        "LOGIN_FAILED": login_failed,
        "UNKNOWN_DATABASE": unknown_database,
    }
    sys.stdout.reconfigure(encoding="utf-8")
    for line in sys.stdin:
        scenario, table = line.split()
        # Each in a process of its own, but without the time that it takes to load Python and the driver.
        player = os.fork()
        if player == 0:
            global TABLE
            TABLE = table
            scenarios[scenario](driver)
            return
        _, status = os.waitpid(player, 0)
        print("end of scenario {}".format(os.waitstatus_to_exitcode(status)), flush=True)
        print("end of scenario", file=sys.stderr, flush=True)
