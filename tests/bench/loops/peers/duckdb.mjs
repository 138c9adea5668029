// Runs queries in DuckDB, one thread, tables in memory: the same requests and answers as
// peers/main.c, with the query in SQL behind them. A table is loaded when a query asks for
// it, and the one before goes. A query is timed up to its result, which DuckDB keeps as
// columns; nothing of it becomes a JavaScript value before the clock stops.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

// home is where the package is installed, dir where the tables are.
const [home, dir] = process.argv.slice(2);
const api = await import(createRequire(`${home}/`).resolve('@duckdb/node-api'));
const { BIGINT, DOUBLE, DuckDBDataChunk, DuckDBInstance, INTEGER, UTINYINT, VARCHAR } = api;

const connection = await (await DuckDBInstance.create(':memory:')).connect();
await connection.run('SET threads=1');

const types = { f64: DOUBLE, i64: BIGINT, i32: INTEGER, i8: UTINYINT, offsets: VARCHAR };
const arrays = { f64: Float64Array, i64: BigInt64Array, i32: Int32Array, i8: Uint8Array, offsets: BigInt64Array };
const CHUNK = 2048;

// column gives what makes the values from a row to another.
function column(table, { name, type }) {
  const path = `${dir}/${table}/${name}.`;
  const read = (ext) => readFileSync(path + ext);
  const file = read(type);
  const data = new arrays[type](file.buffer, file.byteOffset, file.byteLength / arrays[type].BYTES_PER_ELEMENT);
  if (type !== 'offsets') return (from, to) => data.subarray(from, to);
  const bytes = read('bytes');
  return (from, to) => Array.from({ length: to - from }, (_, i) => bytes.latin1Slice(Number(data[from + i]), Number(data[from + i + 1])));
}

let loaded = '';
async function load(table) {
  if (loaded === table) return;
  if (loaded) await connection.run(`DROP TABLE "${loaded}"`);
  const { rows, columns } = JSON.parse(readFileSync(`${dir}/${table}/schema.json`, 'utf8'));
  await connection.run(`CREATE TABLE "${table}" (${columns.map((c) => `"${c.name}" ${types[c.type]}`).join(', ')})`);
  const appender = await connection.createAppender(table);
  const values = columns.map((c) => column(table, c));
  for (let from = 0; from < rows; from += CHUNK) {
    const to = Math.min(rows, from + CHUNK);
    const chunk = DuckDBDataChunk.create(columns.map((c) => types[c.type]), to - from);
    values.forEach((v, k) => chunk.setColumnValues(k, v(from, to)));
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
  loaded = table;
}

// write puts the rows into a file as doubles, as peers/main.c does.
async function write(result, path) {
  const number = (v) => (typeof v === 'string' ? Number(v.slice(2)) : Number(v));
  const out = openSync(path, 'w');
  for (;;) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) break;
    writeSync(out, new Uint8Array(Float64Array.from(chunk.getRows().flat(), number).buffer));
  }
  closeSync(out);
}

async function answer(table, runs, path, sql) {
  await load(table);
  let best = Infinity;
  for (let k = 0; k < runs; k++) {
    const start = process.hrtime.bigint();
    const result = await connection.run(sql);
    best = Math.min(best, Number(process.hrtime.bigint() - start));
    if (k === runs - 1 && path !== '-') await write(result, path);
  }
  return best;
}

for await (const line of createInterface({ input: process.stdin })) {
  const [table, , runs, path, sql] = line.split('\t');
  try {
    console.log(`ok ${await answer(table, Number(runs), path, sql)}`);
  } catch (e) {
    console.log(`error ${String(e.message ?? e).split('\n')[0]}`);
  }
}
