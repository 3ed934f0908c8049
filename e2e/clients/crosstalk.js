// Sessions of many clients through tedious, for the test that no client sees what is another's.
//
// Orders come on standard input, a line each: number, client, verb and arguments, separated by tabs. Answers go to
// standard output: the order's number, `ok` or the number of the error, and the value or the text.
'use strict';

const readline = require('node:readline');
const { Connection, Request, TYPES, ISOLATION_LEVEL } = require('tedious');

const settings = process.env;
const sessions = new Map();

function connect(client) {
  const connection = new Connection({
    server: settings.MATRIX_HOST,
    authentication: {
      type: 'default',
      options: { userName: settings.MATRIX_USER, password: settings.MATRIX_PASSWORD },
    },
    options: {
      port: Number(settings.MATRIX_PORT),
      database: settings.MATRIX_DATABASE,
      // Every other one is encrypted, not only its login.
      encrypt: client % 2 === 0,
      trustServerCertificate: true,
      connectTimeout: 120_000,
      cancelTimeout: 120_000,
      requestTimeout: 0,
    },
  });
  connection.on('error', () => {}); // who asked hears of it by the request that fails
  sessions.set(client, connection);
  return new Promise((resolve, reject) => {
    connection.connect((error) => (error ? reject(error) : resolve('')));
  });
}

// The first column of every row of every result.
function request(sql, values, done) {
  const made = new Request(sql, done);
  made.on('row', (columns) => values.push(String(columns[0].value ?? 'NULL')));
  return made;
}

function ask(client, sql) {
  return new Promise((resolve, reject) => {
    const values = [];
    sessions.get(client).execSqlBatch(request(sql, values, (error) => (error ? reject(error) : resolve(values.join()))));
  });
}

function prepared(client, sql, numbers) {
  const connection = sessions.get(client);
  return new Promise((resolve, reject) => {
    const values = [];
    // An execution for each number, then one step that gives the handle back, then the end.
    const steps = numbers.split(',').map((number) => () => connection.execute(made, { value: Number(number) }));
    steps.push(() => connection.unprepare(made), () => resolve(values.join()));
    const made = request(sql.replace('?', '@value'), values, (error) => (error ? reject(error) : steps.shift()()));
    made.addParameter('value', TYPES.Int);
    made.on('prepared', () => steps.shift()());
    made.on('error', reject);
    connection.prepare(made);
  });
}

function cancel(client, sql, after) {
  const connection = sessions.get(client);
  return new Promise((resolve, reject) => {
    const values = [];
    const made = request(sql, values, (error) =>
      error && error.code !== 'ECANCEL' ? reject(error) : resolve(values.join()),
    );
    connection.execSqlBatch(made);
    setTimeout(() => made.cancel(), Number(after));
  });
}

function call(client, method, ...before) {
  return new Promise((resolve, reject) => {
    sessions.get(client)[method]((error) => (error ? reject(error) : resolve('')), ...before);
  });
}

function close(client) {
  const connection = sessions.get(client);
  if (!connection || connection.closed) return Promise.resolve('');
  return new Promise((resolve) => {
    connection.once('end', () => resolve(''));
    connection.close();
  });
}

function die(client) {
  sessions.get(client).socket.destroy();
  return Promise.resolve('');
}

const verbs = {
  connect,
  ask,
  prepared,
  cancel,
  begin: (client) => call(client, 'beginTransaction', '', ISOLATION_LEVEL.NO_CHANGE),
  commit: (client) => call(client, 'commitTransaction'),
  rollback: (client) => call(client, 'rollbackTransaction'),
  reset: (client) => call(client, 'reset'),
  die,
  close,
};

readline.createInterface({ input: process.stdin }).on('line', async (line) => {
  const [number, client, verb, ...parts] = line.split('\t');
  let answer;
  try {
    answer = `ok\t${await verbs[verb](Number(client), ...parts)}`;
  } catch (error) {
    answer = `${error.number ?? 0}\t${error.code} ${error.message}`.replaceAll('\n', ' ');
  }
  console.log(`${number}\t${answer}`);
}).on('close', () => process.exit());
