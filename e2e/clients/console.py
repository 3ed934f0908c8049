"""Asks the console by pymssql: with a parameter, then a command. Prints what it gets."""
import os

import pymssql

connection = pymssql.connect(
    server=os.environ["MATRIX_HOST"],
    port=os.environ["MATRIX_PORT"],
    user=os.environ["MATRIX_USER"],
    password=os.environ["MATRIX_PASSWORD"],
    database=os.environ["MATRIX_DATABASE"],
)
cursor = connection.cursor()
cursor.execute(
    "SELECT server_name, max_connections FROM sys.remote_pool_stats WHERE max_connections >= %d ORDER BY server_name",
    (1,),
)
for row in cursor.fetchall():
    print("|".join(str(value) for value in row))
cursor.execute("RECONNECT place")
connection.close()
