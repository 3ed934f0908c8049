// The driver matrix through tedious. Each line of standard input is a scenario to play, and the table that it may use; where
// to connect comes from the environment (so that the password is in no process list). Each fact that the scenario finds is
// one line on standard output; the test that started the program knows which facts are right. What goes wrong is told on
// standard error. On both of them a last line says that the scenario is over.
'use strict';

const readline = require('node:readline');
const { Connection, Request, TYPES } = require('tedious');

const settings = process.env;
const ROWS_TO_LOAD = 1000;
const A_MILLION = 1_000_000;
const open = [];
let TABLE;

function connect({ password = settings.MATRIX_PASSWORD, database = settings.MATRIX_DATABASE } = {}) {
  const encrypt = { false: false, true: true, strict: 'strict' }[settings.MATRIX_ENCRYPT];
  const connection = new Connection({
    server: settings.MATRIX_HOST,
    authentication: { type: 'default', options: { userName: settings.MATRIX_USER, password } },
    options: {
      port: Number(settings.MATRIX_PORT),
      database,
      encrypt,
      trustServerCertificate: true,
      useUTC: true,
      connectTimeout: 20_000,
      requestTimeout: 90_000,
    },
  });
  // The error that ends a login has only a text; the number is in the event, and the first one is the reason.
  let number;
  connection.on('errorMessage', (message) => (number ??= message.number));
  return new Promise((resolve, reject) => {
    connection.connect((error) => {
      if (error) {
        reject(Object.assign(error, { number }));
      } else {
        open.push(connection);
        resolve(connection);
      }
    });
  });
}

// Runs one request to its end: { results: [[row…]…], counts: [n…], outputs: {name: value}, status }.
function run(connection, sql, { parameters = [], outputs = [], how = 'execSql', onRow } = {}) {
  return new Promise((resolve, reject) => {
    const answer = { results: [], counts: [], outputs: {}, status: undefined };
    const request = new Request(sql, (error) => (error ? reject(error) : resolve(answer)));
    for (const [name, type, value, options] of parameters) request.addParameter(name, type, value, options);
    for (const [name, type, options] of outputs) request.addOutputParameter(name, type, undefined, options);
    request.on('columnMetadata', () => answer.results.push([]));
    request.on('row', (columns) => (onRow ? onRow(columns) : answer.results.at(-1).push(columns)));
    for (const done of ['done', 'doneInProc']) {
      request.on(done, (count) => {
        if (count !== undefined) answer.counts.push(count);
      });
    }
    request.on('doneProc', (count, more, status) => (answer.status = status));
    request.on('returnValue', (name, value) => (answer.outputs[name] = value));
    connection[how](request);
  });
}

const batch = (connection, sql, options) => run(connection, sql, { ...options, how: 'execSqlBatch' });
const one = async (connection, sql, options) => (await batch(connection, sql, options)).results[0][0][0].value;

const pad = (number, digits = 2) => String(number).padStart(digits, '0');

function time(date) {
  const nanos = date.getUTCMilliseconds() * 1e6 + Math.round((date.nanosecondsDelta ?? 0) * 1e9);
  const fraction = `.${pad(nanos, 9)}`.replace(/\.?0+$/, '');
  return `${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}:${pad(date.getUTCSeconds())}${fraction}`;
}

const day = (date) => `${pad(date.getUTCFullYear(), 4)}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}`;

// A value as the matrix writes it: the same text in every language.
function shown(value, type) {
  if (value === null || value === undefined) return 'NULL';
  if (Buffer.isBuffer(value)) return `0x${value.toString('hex').toUpperCase()}`;
  if (value instanceof Date) {
    if (type === 'Date') return day(value);
    if (type === 'Time') return time(value);
    return `${day(value)} ${time(value)}`;
  }
  return String(value);
}

const fact = (name, value, type) => console.log(`${name}=${shown(value, type)}`);

async function numberOf(action) {
  try {
    await action();
  } catch (error) {
    return error.number ?? `${error.code} ${error.message}`;
  }
  return 'no error';
}

const scenarios = {
  async EVERY_TYPE() {
    const connection = await connect();
    const { results } = await batch(connection, `SELECT ${settings.MATRIX_COLUMNS} FROM every_type ORDER BY id`);
    results[0].forEach((row, index) => {
      for (const { metadata, value } of row) {
        fact(`row ${index + 1} ${metadata.colName}`, value, metadata.type.name);
      }
    });
  },

  async PARAMETERS() {
    const connection = await connect();
    const sent = [
      ['int', TYPES.Int, -2147483648],
      ['bigint', TYPES.BigInt, '9007199254740993'],
      ['bit', TYPES.Bit, true],
      ['decimal', TYPES.Decimal, 12345.6789, { precision: 18, scale: 4 }],
      ['float', TYPES.Float, 0.1],
      ['nvarchar', TYPES.NVarChar, 'olá 日本語 😀'],
      ['varbinary', TYPES.VarBinary, Buffer.from([0x00, 0xff, 0x10])],
      ['datetime', TYPES.DateTime, new Date(Date.UTC(2024, 1, 29, 12, 34, 56, 790))],
      ['null', TYPES.Int, null],
    ];
    const parameters = sent.map(([name, ...rest]) => [`p_${name}`, ...rest]);
    const select = sent.map(([name]) => `@p_${name} AS [${name}]`).join(', ');
    const { results } = await run(connection, `SELECT ${select}`, { parameters });
    for (const { metadata, value } of results[0][0]) fact(metadata.colName, value, metadata.type.name);
  },

  async PREPARED() {
    const connection = await connect();
    const insert = await prepare(connection, `INSERT INTO ${TABLE} (id, name) VALUES (@id, @name)`, {
      id: TYPES.Int,
      name: TYPES.NVarChar,
    });
    for (let id = 1; id <= 20; id++) await insert.execute({ id, name: `row ${id}` });
    await insert.unprepare();
    const select = await prepare(connection, `SELECT name FROM ${TABLE} WHERE id = @id`, { id: TYPES.Int });
    const names = [];
    for (let id = 1; id <= 20; id++) names.push((await select.execute({ id }))[0][0].value);
    await select.unprepare();
    fact('names', names.join(','));
  },

  async COMMITTED() {
    const connection = await inTransaction();
    await call(connection, 'commitTransaction');
  },

  async ROLLED_BACK() {
    const connection = await inTransaction();
    await call(connection, 'rollbackTransaction');
    fact('after', await one(connection, `SELECT COUNT(*) FROM ${TABLE}`));
  },

  async TEMP_TABLE() {
    const [connection, other] = [await connect(), await connect()];
    await batch(connection, 'CREATE TABLE #mine (n int)');
    await batch(connection, 'INSERT INTO #mine VALUES (1), (2)');
    fact('own', await one(connection, 'SELECT SUM(n) FROM #mine'));
    fact('other', await numberOf(() => batch(other, 'SELECT n FROM #mine')));
  },

  async PROCEDURE() {
    const connection = await connect();
    const { results, outputs, status } = await run(connection, 'matrix_add', {
      how: 'callProcedure',
      parameters: [
        ['a', TYPES.Int, 20],
        ['b', TYPES.Int, 22],
      ],
      outputs: [
        ['sum', TYPES.Int],
        ['said', TYPES.NVarChar, { length: 40 }],
      ],
    });
    fact('row', results[0][0][0].value);
    fact('sum', outputs.sum);
    fact('said', outputs.said);
    fact('status', status);
  },

  async MANY_ROWS() {
    const connection = await connect();
    let [rows, sum, characters] = [0, 0, 0];
    const onRow = ([id, name]) => {
      rows++;
      sum += id.value;
      characters += name.value.length;
    };
    await batch(connection, 'SELECT id, name FROM hundred_thousand', { onRow });
    fact('rows', rows);
    fact('sum', sum);
    fact('characters', characters);
  },

  async SEVERAL_RESULTS() {
    const connection = await connect();
    const said = [];
    connection.on('infoMessage', (message) => said.push(message.message));
    const { results, counts } = await batch(
      connection,
      `SELECT 1 AS a; INSERT INTO ${TABLE} (id, name) VALUES (1, 'one'), (2, 'two'); ` +
        `SELECT name FROM ${TABLE} ORDER BY id; PRINT 'done'`,
    );
    fact('first', results[0][0][0].value);
    fact('inserted', counts[1]);
    fact('names', results[1].map((row) => row[0].value).join(','));
    fact('said', said.join(','));
  },

  async LARGE_VALUE() {
    const connection = await connect();
    const sent = '0123456789'.repeat(A_MILLION / 10);
    const { results } = await run(connection, 'SELECT @value', { parameters: [['value', TYPES.NVarChar, sent]] });
    const got = results[0][0][0].value;
    fact('length', got.length);
    fact('same', got === sent);
  },

  async CANCELLED() {
    const connection = await connect();
    const waiting = batch(connection, "WAITFOR DELAY '00:01:00'");
    // The request goes out on a later turn of the event loop, and only then can it be cancelled on the server.
    setImmediate(() => connection.cancel());
    const end = await waiting.then(() => 'not cancelled', (error) => error.code);
    console.log(end === 'ECANCEL' ? 'cancelled' : end);
    fact('then', await one(connection, 'SELECT 1'));
  },

  async BULK_LOAD() {
    const connection = await connect();
    await new Promise((resolve, reject) => {
      const load = connection.newBulkLoad(TABLE, (error) => (error ? reject(error) : resolve()));
      load.addColumn('id', TYPES.Int, { nullable: false });
      load.addColumn('name', TYPES.NVarChar, { length: 50, nullable: true });
      load.addColumn('amount', TYPES.Decimal, { precision: 18, scale: 4, nullable: true });
      const rows = Array.from({ length: ROWS_TO_LOAD }, (_, index) => index + 1);
      connection.execBulkLoad(load, rows.map((id) => [id, id % 10 === 0 ? null : `row ${id}`, id / 4]));
    });
    console.log('loaded');
  },

  async RESET() {
    const connection = await connect();
    await batch(connection, 'CREATE TABLE #mine (n int); SET DATEFIRST 3');
    fact('before', await one(connection, 'SELECT @@DATEFIRST'));
    await call(connection, 'reset');
    fact('after', await one(connection, 'SELECT @@DATEFIRST'));
    fact('temp table', await numberOf(() => batch(connection, 'SELECT n FROM #mine')));
  },

  async ERRORS() {
    const connection = await connect();
    const insert = `INSERT INTO ${TABLE} (id, name) VALUES (1, 'one')`;
    fact('missing table', await numberOf(() => batch(connection, 'SELECT * FROM no_such_table')));
    await batch(connection, insert);
    fact('duplicate key', await numberOf(() => batch(connection, insert)));
    fact('syntax', await numberOf(() => batch(connection, 'SELECT 1 +')));
    fact('division by zero', await numberOf(() => batch(connection, 'SELECT 1 / (1 - 1)')));
    await batch(connection, "RAISERROR('the gate is closed', 16, 1)").catch((error) =>
      fact('raised', `${error.number} ${error.message}`),
    );
    fact('then', await one(connection, 'SELECT 1'));
  },

  async LOGIN_FAILED() {
    fact('login', await numberOf(() => connect({ password: 'wrong' })));
  },

  async UNKNOWN_DATABASE() {
    fact('login', await numberOf(() => connect({ database: 'no_such_database' })));
  },
};

const call = (connection, method, ...args) =>
  new Promise((resolve, reject) => connection[method]((error) => (error ? reject(error) : resolve()), ...args));

async function inTransaction() {
  const connection = await connect();
  await call(connection, 'beginTransaction');
  await batch(connection, `INSERT INTO ${TABLE} (id, name) VALUES (1, 'kept')`);
  fact('inside', await one(connection, `SELECT COUNT(*) FROM ${TABLE}`));
  return connection;
}

// A statement prepared on the server. tedious tells each execution's end through the one request's callback.
function prepare(connection, sql, parameters) {
  let ended;
  let rows;
  const request = new Request(sql, (error) => ended(error));
  const end = () => new Promise((resolve, reject) => (ended = (error) => (error ? reject(error) : resolve(rows))));
  for (const [name, type] of Object.entries(parameters)) request.addParameter(name, type);
  request.on('row', (columns) => rows.push(columns));
  return new Promise((resolve, reject) => {
    const statement = {
      execute(values) {
        rows = [];
        const done = end();
        connection.execute(request, values);
        return done;
      },
      unprepare() {
        const done = end();
        connection.unprepare(request);
        return done;
      },
    };
    ended = reject;
    request.once('prepared', () => resolve(statement));
    connection.prepare(request);
  });
}

// Returns when the server has heard of it.
function close(connection) {
  return new Promise((resolve) => {
    connection.once('end', resolve);
    connection.close();
  });
}

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [scenario, table] = line.split(' ');
    TABLE = table;
    let status = 0;
    try {
      await scenarios[scenario]();
      await Promise.all(open.splice(0).map(close));
    } catch (error) {
      console.error(error);
      status = 1;
    }
    console.log(`end of scenario ${status}`);
    console.error('end of scenario');
  }
}

main();
