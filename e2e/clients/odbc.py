"""The driver matrix through pyodbc, unixODBC and FreeTDS's ODBC driver."""

import re

import pyodbc

import scenarios


class Odbc(scenarios.Driver):
    def connect(self, user=scenarios.USER, password=scenarios.PASSWORD, database=scenarios.DATABASE):
        return pyodbc.connect(
            "DRIVER=FreeTDS;TDS_Version=7.4;ClientCharset=UTF-8;SERVER={};PORT={};UID={};PWD={};DATABASE={}".format(
                scenarios.HOST, scenarios.PORT, user, password, database
            ),
            autocommit=True,
        )

    def set_autocommit(self, connection, on):
        connection.autocommit = on

    def error_number(self, error):
        # [42S02] [FreeTDS][SQL Server]Invalid object name 'x'. (208) (SQLExecDirectW)
        numbers = re.findall(r"\((\d+)\) \(SQL", error.args[1])
        return numbers[0] if numbers else repr(error)

    def error_text(self, error):
        return re.search(r"\[SQL Server\](.*?) \(\d+\)", error.args[1]).group(1)

    def cancel(self, connection, cursor):
        try:
            cursor.cancel()
        except pyodbc.Error:
            pass  # FreeTDS says so when nothing was running

    def messages(self, connection, cursor):
        return [re.sub(r"^(\[[^]]*\])*", "", text) for _, text in cursor.messages or []]


scenarios.main(Odbc())
