"""The driver matrix through pymssql, which is FreeTDS's DB-Library."""

import pymssql

import scenarios


class PyMssql(scenarios.Driver):
    mark = "%s"

    def __init__(self):
        self.printed = []

    def connect(self, user=scenarios.USER, password=scenarios.PASSWORD, database=scenarios.DATABASE):
        connection = pymssql.connect(
            server=scenarios.HOST,
            port=str(scenarios.PORT),
            user=user,
            password=password,
            database=database,
            charset="UTF-8",
            tds_version="7.3",
            login_timeout=20,
            autocommit=True,
        )
        connection._conn.set_msghandler(self.heard)
        return connection

    def heard(self, state, severity, server, procedure, line, text):
        if severity == 0:
            self.printed.append(text.decode())

    def set_autocommit(self, connection, on):
        connection.autocommit(on)

    def error_number(self, error):
        first = error.args[0]
        return first[0] if isinstance(first, tuple) else first

    def error_text(self, error):
        return error.args[1].decode().split("DB-Lib")[0].strip()

    def cancel(self, connection, cursor):
        connection._conn.cancel()

    def messages(self, connection, cursor):
        return self.printed


scenarios.main(PyMssql())
