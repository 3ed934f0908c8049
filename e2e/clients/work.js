// Clients through tedious that work until standard input ends: each tests its connection, as node-mssql does before it
// hands one out, then adds two rows in a transaction, then pauses.
//
// Arguments: how many clients, and the pause in milliseconds. At the end a line for each client goes to standard output:
// its name, its commits, how often it had to connect again, and what failed, separated by tabs.
'use strict';

const { setTimeout: pause } = require('node:timers/promises');
const { Connection, Request } = require('tedious');

const settings = process.env;
const [count, milliseconds] = process.argv.slice(2).map(Number);
let over = false;
process.stdin.on('end', () => (over = true)).resume();

function connect() {
  const connection = new Connection({
    server: settings.MATRIX_HOST,
    authentication: {
      type: 'default',
      options: { userName: settings.MATRIX_USER, password: settings.MATRIX_PASSWORD },
    },
    options: {
      port: Number(settings.MATRIX_PORT),
      database: settings.MATRIX_DATABASE,
      encrypt: false,
      trustServerCertificate: true,
      connectTimeout: 60_000,
      requestTimeout: 60_000,
    },
  });
  connection.on('error', () => {}); // who asks hears of it by the request that fails
  connection.on('end', () => (connection.gone = true));
  return new Promise((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve(connection))));
}

function run(connection, sql) {
  return new Promise((resolve, reject) =>
    connection.execSqlBatch(new Request(sql, (error) => (error ? reject(error) : resolve()))));
}

function end(connection, verb) {
  return new Promise((resolve, reject) => connection[verb]((error) => (error ? reject(error) : resolve())));
}

async function isValid(connection) {
  if (!connection || connection.gone) {
    return false;
  }
  try {
    await run(connection, 'SELECT 1');
    return true;
  } catch {
    connection.close();
    return false;
  }
}

async function work(name) {
  let connection;
  let committed = 0;
  let replaced = -1;
  const failures = [];
  while (!over) {
    try {
      if (!(await isValid(connection))) {
        connection = await connect();
        replaced++;
      }
      const number = committed + failures.length;
      await end(connection, 'beginTransaction');
      await run(connection, `INSERT INTO work VALUES ('${name}', ${number}, 1)`);
      await run(connection, `INSERT INTO work VALUES ('${name}', ${number}, 2)`);
      await end(connection, 'commitTransaction');
      committed++;
    } catch (error) {
      failures.push(`${name}: ${error.message}`.replaceAll(/\s+/g, ' '));
      connection?.close();
      connection = undefined;
    }
    await pause(milliseconds);
  }
  connection?.close();
  console.log([name, committed, replaced, ...failures].join('\t'));
}

for (let i = 0; i < count; i++) {
  work(`tedious-${i}`);
}
