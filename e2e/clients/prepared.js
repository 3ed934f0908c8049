// Many clients that keep statements prepared by tedious. Where to connect comes from the environment; the arguments are the
// number of the first client, and how many there are. Each line of standard input is an order, and is answered by one line:
// "ok", the fewest and the most rounds that a client made; or "error" and what went wrong first.
'use strict';

const readline = require('node:readline');
const { Connection, Request, TYPES } = require('tedious');

const STATEMENTS = 4;
const settings = process.env;

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
      connectTimeout: 60_000,
      requestTimeout: 120_000,
    },
  });
  return new Promise((resolve, reject) =>
    connection.connect((error) => (error ? reject(error) : resolve(connection))),
  );
}

// A statement prepared on the server. tedious tells each execution's end through the one request's callback.
async function prepare(connection, sql, parameters) {
  let ended;
  let rows = [];
  const request = new Request(sql, (error) => ended(error));
  for (const [name, type] of Object.entries(parameters)) request.addParameter(name, type);
  request.on('row', (columns) => rows.push(columns));
  const step = (method, ...values) =>
    new Promise((resolve, reject) => {
      rows = [];
      ended = (error) => (error ? reject(error) : resolve(rows));
      connection[method](request, ...values);
    });
  await new Promise((resolve, reject) => {
    ended = reject;
    request.once('prepared', resolve);
    connection.prepare(request);
  });
  return { execute: (values) => step('execute', values), unprepare: () => step('unprepare') };
}

class Client {
  constructor(number) {
    this.number = number;
    this.asked = 0;
    this.statements = [];
  }

  async connect() {
    this.connection = await connect();
  }

  async statement(index) {
    return (this.statements[index] ??=
      index < STATEMENTS
        ? await prepare(this.connection, `SELECT @p * 10 + ${index} AS answer`, { p: TYPES.Int })
        : await prepare(this.connection, 'INSERT INTO written (client, n) VALUES (@c, @n)', {
            c: TYPES.Int,
            n: TYPES.Int,
          }));
  }

  async ask() {
    for (let index = 0; index < STATEMENTS; index++) {
      const p = this.number * 1000 + ++this.asked;
      const [[{ value }]] = await (await this.statement(index)).execute({ p });
      if (value !== p * 10 + index) throw new Error(`client ${this.number} got ${value} for ${p}`);
    }
  }

  async write(rows) {
    const insert = await this.statement(STATEMENTS);
    for (let n = 0; n < rows; n++) await insert.execute({ c: this.number, n });
  }

  async close() {
    for (const statement of this.statements) await statement?.unprepare();
    this.connection.close();
  }
}

const first = Number(process.argv[2]);
const clients = Array.from({ length: Number(process.argv[3]) }, (_, index) => new Client(first + index));

const together = (action) => Promise.all(clients.map(action));

// Each asks until all of them have asked so often.
async function ask(atLeast) {
  const rounds = clients.map(() => 0);
  let behind = clients.length;
  await together(async (client, index) => {
    while (behind > 0) {
      await client.ask();
      if (++rounds[index] === atLeast) behind--;
    }
  });
  return `${Math.min(...rounds)} ${Math.max(...rounds)}`;
}

const orders = {
  connect: () => together((client) => client.connect()),
  ask: (atLeast) => ask(Number(atLeast)),
  write: (rows) => together((client) => client.write(Number(rows))),
  close: () => together((client) => client.close()),
};

(async () => {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [order, ...rest] = line.split(' ');
    try {
      const counts = await orders[order](...rest);
      console.log(`ok ${typeof counts === 'string' ? counts : '0 0'}`);
    } catch (error) {
      console.log(`error ${String(error).replaceAll('\n', ' ')}`);
    }
  }
  process.exit(0);
})();
