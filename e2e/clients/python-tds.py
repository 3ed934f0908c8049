"""The driver matrix through python-tds, which is TDS in pure Python."""

import pytds
from pytds.tds_base import Column

import scenarios


class PythonTds(scenarios.Driver):
    mark = "%s"

    def connect(self, user=scenarios.USER, password=scenarios.PASSWORD, database=scenarios.DATABASE):
        return pytds.connect(
            dsn=scenarios.HOST,
            port=scenarios.PORT,
            user=user,
            password=password,
            database=database,
            disable_connect_retry=True,
            autocommit=True,
            cafile=scenarios.CERTIFICATE,
            validate_host=False,
        )

    def set_autocommit(self, connection, on):
        connection.autocommit = on

    def error_number(self, error):
        return getattr(error, "number", None) or repr(error)

    def error_text(self, error):
        return error.text

    def call_procedure(self, cursor):
        cursor.callproc(
            "matrix_add", (20, 22, pytds.output(param_type="int"), pytds.output(param_type="nvarchar(40)"))
        )
        row = cursor.fetchall()[0][0]
        cursor.nextset()
        status = cursor.get_proc_return_status()
        # get_proc_outputs() fails unless every parameter is an output.
        values = cursor._session.output_params
        return row, values[2].value, values[3].value, status

    def cancel_waitfor(self, connection):
        # cancel() also reads the answer, so only the thread that runs the request can call it. That one is back from
        # execute() with the first result, which NOWAIT makes the server send before it waits.
        cursor = connection.cursor()
        cursor.execute("SELECT 1; RAISERROR('waiting', 0, 1) WITH NOWAIT; WAITFOR DELAY '00:01:00'")
        cursor.cancel()

    def binary(self, value):
        return pytds.Binary(value)

    def bulk_load(self, connection, rows):
        columns = [
            Column("id", type=pytds.tds_types.IntType()),
            Column("name", type=pytds.tds_types.NVarCharType(50), flags=Column.fNullable),
            Column("amount", type=pytds.tds_types.DecimalType(precision=18, scale=4), flags=Column.fNullable),
        ]
        connection.cursor().copy_to(table_or_view=scenarios.TABLE, columns=columns, data=rows)

    def messages(self, connection, cursor):
        return [message[1].text for message in cursor.messages or []]


scenarios.main(PythonTds())
