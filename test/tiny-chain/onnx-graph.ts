/** Writes models in the format of ONNX: a message of Protocol Buffers that contains a graph of operators. */

/** Types of the numbers in a tensor, as ONNX numbers them. */
export const FLOAT = 1;
export const UINT8 = 2;
export const INT32 = 6;
export const INT64 = 7;
export const FLOAT16 = 10;

/** Operators of the ONNX runtime that are not in the standard. */
const RUNTIME_OPERATORS = 'com.microsoft';

/** A real number, which is written differently from an integer. */
interface Real {
  real: number;
}
type Content = number | string | Uint8Array<ArrayBuffer> | Real;
export type Field = [number: number, content: Content];
export type Attributes = Readonly<Record<string, number | number[] | Real>>;

export function modelOf(graph: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const operators = (domain: string, version: number): Field => [
    8,
    message([
      [1, domain],
      [2, version],
    ]),
  ];
  return message([[1, 8], [7, graph], operators('', 17), operators(RUNTIME_OPERATORS, 1)]);
}

/** A node of the graph. The first output is its name. */
export function node(
  operator: string,
  inputs: readonly string[],
  outputs: string | readonly string[],
  attributes: Attributes = {},
  domain: '' | typeof RUNTIME_OPERATORS = '',
): Uint8Array<ArrayBuffer> {
  const all = [outputs].flat();
  return message([
    ...inputs.map((name): Field => [1, name]),
    ...all.map((name): Field => [2, name]),
    [3, all[0] ?? ''],
    [4, operator],
    ...Object.entries(attributes).map(([name, of]): Field => [5, attribute(name, of)]),
    [7, domain],
  ]);
}

/** An integer, a list of integers, or a real number. */
function attribute(name: string, of: number | number[] | Real): Uint8Array<ArrayBuffer> {
  const [FLOAT_VALUE, INT, INTS] = [1, 2, 7];
  const fields = (): Field[] => {
    if (Array.isArray(of)) return [...of.map((each): Field => [8, each]), [20, INTS]];
    if (typeof of === 'number') return [[3, of], [20, INT]]; // prettier-ignore
    return [[2, of], [20, FLOAT_VALUE]]; // prettier-ignore
  };
  return message([[1, name], ...fields()]);
}

export function tensor(name: string, sizes: readonly number[], data: Float32Array): Uint8Array<ArrayBuffer> {
  return tensorOf(name, FLOAT, sizes, new Uint8Array(new Float32Array(data).buffer));
}

/** A tensor of this type, with the bytes of its numbers. */
export function tensorOf(
  name: string,
  type: number,
  sizes: readonly number[],
  bytes: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  return message([...sizes.map((size): Field => [1, size]), [2, type], [8, name], [9, bytes]]);
}

/** A tensor whose bytes stand at a place of another file. */
export function tensorIn(
  file: string,
  { name, type, sizes, offset, length }: TensorPlace,
): Uint8Array<ArrayBuffer> {
  const EXTERNAL = 1;
  const entries = Object.entries({ location: file, offset, length }).map(([key, value]): Field => [
    13,
    message([
      [1, key],
      [2, String(value)],
    ]),
  ]);
  return message([
    ...sizes.map((size): Field => [1, size]),
    [2, type],
    [8, name],
    ...entries,
    [14, EXTERNAL],
  ]);
}

export interface TensorPlace {
  name: string;
  type: number;
  sizes: readonly number[];
  /** Position in the file, in bytes. */
  offset: number;
  /** Number of bytes. */
  length: number;
}

/** An input or output of the graph. A size that is a name may differ from call to call. */
export function value(
  name: string,
  type: number,
  sizes: readonly (number | string)[],
): Uint8Array<ArrayBuffer> {
  const dimensions = sizes.map((size): Field => [1, message([[typeof size === 'number' ? 1 : 2, size]])]);
  const shaped = message([
    [1, type],
    [2, message(dimensions)],
  ]);
  return message([
    [1, name],
    [2, message([[1, shaped]])],
  ]);
}

/** A message of Protocol Buffers. */
export function message(fields: readonly Field[]): Uint8Array<ArrayBuffer> {
  const parts = fields.flatMap(([number, content]) => {
    if (typeof content === 'number') return [varint(number << 3), varint(content)];
    if (typeof content === 'object' && 'real' in content) {
      return [varint((number << 3) | 5), new Uint8Array(Float32Array.of(content.real).buffer)];
    }
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    return [varint((number << 3) | 2), varint(bytes.length), bytes];
  });
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A negative number is written as 64 bits. */
function varint(number: number): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(number));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Uint8Array.from([...bytes, Number(rest)]);
}
