"""Clients through pymssql that work until standard input ends.

Each tests its connection before it uses it, as SQLAlchemy does with pool_pre_ping, adds two rows in a transaction, and pauses.
pymssql begins the next transaction with each commit, so it is never outside of one. Arguments: how many clients, and the pause
in milliseconds. At the end a line for each client goes to standard output: its name, its commits, how often it had to connect
again, and what failed, separated by tabs.
"""

import os
import sys
import threading

import pymssql

over = threading.Event()


def connect():
    return pymssql.connect(
        server=os.environ["MATRIX_HOST"],
        port=os.environ["MATRIX_PORT"],
        user=os.environ["MATRIX_USER"],
        password=os.environ["MATRIX_PASSWORD"],
        database=os.environ["MATRIX_DATABASE"],
        tds_version="7.3",
        login_timeout=60,
    )


def run(connection, sql):
    with connection.cursor() as cursor:
        cursor.execute(sql)
        if cursor.description:
            cursor.fetchall()


def is_valid(connection):
    if connection is None:
        return False
    try:
        run(connection, "SELECT 1")
        return True
    except pymssql.Error:
        return False


def work(name, pause, told):
    connection, committed, replaced, failures = None, 0, -1, []
    while True:
        try:
            if not is_valid(connection):
                connection = connect()
                replaced += 1
            number = committed + len(failures)
            run(connection, "INSERT INTO work VALUES ('%s', %d, 1)" % (name, number))
            run(connection, "INSERT INTO work VALUES ('%s', %d, 2)" % (name, number))
            connection.commit()
            committed += 1
        except pymssql.Error as error:
            failures.append(" ".join(("%s: %r" % (name, error)).split()))
            connection = None
        if over.wait(pause):
            break
    told.append("\t".join([name, str(committed), str(replaced)] + failures))


def main():
    count, pause = int(sys.argv[1]), int(sys.argv[2]) / 1000
    told = []
    threads = [threading.Thread(target=work, args=("pymssql-%d" % i, pause, told)) for i in range(count)]
    for thread in threads:
        thread.start()
    sys.stdin.read()
    over.set()
    for thread in threads:
        thread.join()
    print("\n".join(told))


main()
