/**
 * Just enough of the WebAssembly binary format (core specification 2.0, chapter 5) to write a few loops over SIMD lanes. Instructions
 * are the bytes that they are encoded as.
 */
export type Code = readonly number[];

/** One instruction after the other. */
export function sequence(...parts: readonly Code[]): Code {
  return parts.flat();
}

/** The same instructions for each of `count` lanes. */
export function eachLane(count: number, body: (lane: number) => readonly Code[]): Code {
  return Array.from({ length: count }, (_, lane) => body(lane).flat()).flat();
}

/** The magic number "\0asm", and version 1. */
const PREAMBLE = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/** The types of locals: a 32-bit integer, and a lane of 128 bits. */
export const I32 = 0x7f;
export const V128 = 0x7b;

/** Instructions. Those without arguments work on what lies on the stack. */
export const op = {
  get: (local: number): Code => [0x20, ...unsigned(local)],
  set: (local: number): Code => [0x21, ...unsigned(local)],
  constant: (value: number): Code => [0x41, ...signed(value)],
  add: [0x6a],
  multiply: [0x6c],
  isBelow: [0x49],
  isZero: [0x45],
  and: [0x71],
  loadInt: (offset: number): Code => [0x28, 2, ...unsigned(offset)],
  storeFloat: (offset: number): Code => [0x38, 2, ...unsigned(offset)],
  addFloat: [0x92],
  loadLanes: (offset: number): Code => [0xfd, 0x00, 2, ...unsigned(offset)],
  storeLanes: (offset: number): Code => [0xfd, 0x0b, 2, ...unsigned(offset)],
  loadSplat: (offset: number): Code => [0xfd, 0x09, 2, ...unsigned(offset)],
  zeroLanes: [0xfd, 0x0c, ...Array.from({ length: 16 }, () => 0)],
  lane: (index: number): Code => [0xfd, 0x1f, index],
  addLanes: [0xfd, 0xe4, 0x01],
  multiplyLanes: [0xfd, 0xe6, 0x01],
} as const;

/** Runs `body` while local `counter` is below local `limit` (unsigned). */
export function whileBelow(counter: number, limit: number, body: Code): Code {
  const leave = [...op.get(counter), ...op.get(limit), ...op.isBelow, ...op.isZero, 0x0d, 1];
  return [0x02, 0x40, 0x03, 0x40, ...leave, ...body, 0x0c, 0, 0x0b, 0x0b];
}

/** Adds what `by` leaves on the stack to a local. */
export function increase(local: number, by: Code): Code {
  return [...op.get(local), ...by, ...op.add, ...op.set(local)];
}

export interface WasmFunction {
  name: string;
  /** All parameters are i32: addresses and byte counts. */
  parameterCount: number;
  /** Types of further locals, numbered after the parameters. */
  locals: readonly number[];
  body: Code;
}

/** A module of these functions on the imported memory `env.memory`. */
export function assemble(functions: readonly WasmFunction[], pages: number): Uint8Array<ArrayBuffer> {
  const types = functions.map(({ parameterCount }) => [
    0x60,
    ...vector(Array.from({ length: parameterCount }, () => [I32])),
    0,
  ]);
  const memoryImport = [
    ...text("env"),
    ...text("memory"),
    0x02,
    0x01,
    ...unsigned(pages),
    ...unsigned(pages),
  ];
  const exports = functions.map(({ name }, i) => [...text(name), 0, ...unsigned(i)]);
  const bodies = functions.map(({ locals, body }) =>
    sized([...vector(locals.map((type) => [1, type])), ...body, 0x0b]),
  );
  return Uint8Array.from([
    ...PREAMBLE,
    ...section(1, types),
    ...section(2, [memoryImport]),
    ...section(
      3,
      functions.map((_, i) => unsigned(i)),
    ),
    ...section(7, exports),
    ...section(10, bodies),
  ]);
}

function section(id: number, items: readonly Code[]): Code {
  return [id, ...sized(vector(items))];
}

function vector(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()];
}

function sized(code: Code): Code {
  return [...unsigned(code.length), ...code];
}

function text(value: string): Code {
  return sized([...new TextEncoder().encode(value)]);
}

/** LEB128: seven bits a byte, the lowest first. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): Code {
  return value >= -64 && value < 64 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}
