// Asks the console by tedious: prepared, with a parameter, then a command. Prints what it gets.
const { Connection, Request, TYPES } = require('tedious');

const connection = new Connection({
  server: process.env.MATRIX_HOST,
  authentication: {
    type: 'default',
    options: { userName: process.env.MATRIX_USER, password: process.env.MATRIX_PASSWORD },
  },
  options: {
    port: Number(process.env.MATRIX_PORT),
    database: process.env.MATRIX_DATABASE,
    encrypt: false,
    trustServerCertificate: true,
  },
});

function ask(sql, parameters) {
  return new Promise((resolve, reject) => {
    const rows = [];
    const request = new Request(sql, (error) => (error ? reject(error) : resolve(rows)));
    for (const [name, type, value] of parameters) {
      request.addParameter(name, type, value);
    }
    request.on('row', (columns) => rows.push(columns.map((column) => column.value).join('|')));
    connection.execSql(request);
  });
}

connection.on('infoMessage', (message) => {
  if (message.number === 0) {
    console.log('info ' + message.message);
  }
});
connection.connect(async (error) => {
  try {
    if (error) {
      throw error;
    }
    const rows = await ask(
      'SELECT server_name, max_connections FROM sys.remote_pool_stats WHERE max_connections >= @least ORDER BY server_name',
      [['least', TYPES.Int, 1]],
    );
    rows.forEach((row) => console.log(row));
    await ask('RECONNECT place', []);
    connection.close();
  } catch (failure) {
    console.error(failure);
    process.exit(1);
  }
});
