// Runs cases, a line of JSON each, in ONNX Runtime: {op, opset, attrs, inputs: [{type, dims, data}]}, and answers each
// with a line, {dims, data} or {error}. A case becomes a model of one op, in the protocol buffers of onnx.proto.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const ort = await import(createRequire(`${process.argv[2]}/`).resolve('onnxruntime-web').replace('ort.node.min.js', 'ort.node.min.mjs'));
const runtime = ort.InferenceSession ? ort : ort.default;
runtime.env.wasm.numThreads = 1;
runtime.env.logLevel = 'fatal';

// Fields of messages: a varint, bytes with their length, and a float.
const varint = n => {
  const out = [];
  n = BigInt.asUintN(64, BigInt(n));
  do { out.push(Number(n & 127n) | (n > 127n ? 128 : 0)); n >>= 7n; } while (n);
  return out;
};
const number = (field, n) => [...varint(field << 3), ...varint(n)];
const bytes = (field, b) => [...varint(field << 3 | 2), ...varint(b.length), ...b];
const string = (field, s) => bytes(field, [...Buffer.from(s)]);
const float = (field, x) => [...varint(field << 3 | 5), ...new Uint8Array(new Float32Array([x]).buffer)];

const types = {
  float32: [1, Float32Array], float64: [11, Float64Array], int32: [6, Int32Array], int64: [7, BigInt64Array], int8: [3, Int8Array],
};

// A list is INTS, a string STRING, {float} FLOAT, and a number INT.
function attribute(name, v) {
  const out = string(1, name);
  if (typeof v === 'string') out.push(...string(4, v), ...number(20, 3));
  else if (Array.isArray(v)) out.push(...v.flatMap(n => number(8, n)), ...number(20, 7));
  else if (typeof v === 'object') out.push(...float(2, v.float), ...number(20, 1));
  else out.push(...number(3, v), ...number(20, 2));
  return bytes(5, out);
}

function value(name, x) {
  const shape = x.dims.flatMap((_, i) => bytes(1, string(2, `${name}_${i}`)));
  return [...string(1, name), ...bytes(2, bytes(1, [...number(1, types[x.type][0]), ...bytes(2, shape)]))];
}

function model(c) {
  const names = c.inputs.map((_, i) => `x${i}`);
  const node = [...names.flatMap(n => string(1, n)), ...string(2, 'y'), ...string(4, c.op), ...Object.entries(c.attrs ?? {}).flatMap(a => attribute(...a))];
  const graph = [...bytes(1, node), ...string(2, 'g'), ...names.flatMap((n, i) => bytes(11, value(n, c.inputs[i]))), ...bytes(12, string(1, 'y'))];
  return Uint8Array.from([...number(1, 9), ...bytes(7, graph), ...bytes(8, number(2, c.opset))]);
}

const tensor = x => new runtime.Tensor(x.type, types[x.type][1].from(x.data, x.type === 'int64' ? BigInt : Number), x.dims);

const answers = [];
for (const line of readFileSync(0, 'utf8').trim().split('\n')) {
  const c = JSON.parse(line);
  let answer;
  try {
    const session = await runtime.InferenceSession.create(model(c));
    const { y } = await session.run(Object.fromEntries(c.inputs.map((x, i) => [`x${i}`, tensor(x)])));
    answer = { dims: y.dims, data: Array.from(y.data, x => { x = Number(x); return Number.isFinite(x) ? x : String(x); }) };
    await session.release();
  } catch (e) {
    answer = { error: String(e.message ?? e) };
  }
  answers.push(JSON.stringify(answer));
}
process.stdout.write(answers.join('\n') + '\n');
