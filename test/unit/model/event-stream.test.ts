import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { readEvents } from "../../../src/model/chat-call.ts";
import { OversizedReplyError } from "../../../src/model/http-call.ts";

async function* bytesOf(parts: readonly Uint8Array[]) {
  yield* parts;
}

async function eventsOf(text: string, cuts: readonly number[] = []): Promise<string[]> {
  const bytes = new TextEncoder().encode(text);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  const parts = places.slice(1).map((end, index) => bytes.slice(places[index], end));
  return Array.fromAsync(readEvents(bytesOf(parts)));
}

describe("reading an event stream", () => {
  test.each([
    ["data: a\n\ndata: b\n\n", ["a", "b"]],
    ["data:a\r\n\r\ndata: b\r\rdata: c\n\n", ["a", "b", "c"]],
    ["data: one\ndata: two\n\n", ["one\ntwo"]],
    [": heartbeat\n\nevent: x\nid: 1\ndata: a\n\n", ["a"]],
    ["data: without an end", []],
    ["data:  two spaces\n\n", [" two spaces"]],
  ])("%j gives %j", async (text, expected) => {
    expect(await eventsOf(text)).toEqual(expected);
  });

  test("gives the same events wherever the network cuts the bytes", async () => {
    const text = 'data: {"a":"ä€😀"}\r\n\r\n: x\n\ndata: b\r\ndata: c\r\n\r\ndata: d\n\n';
    const whole = await eventsOf(text);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(1000), { maxLength: 12 }), async (cuts) => {
        expect(await eventsOf(text, cuts)).toEqual(whole);
      }),
    );
  });

  test("that comes byte by byte costs no more than its length", async () => {
    const bytes = new TextEncoder().encode(`data: ${"x\ndata: ".repeat(60_000)}\n\n`);
    const events = await Array.fromAsync(
      readEvents(bytesOf(Array.from(bytes, (byte) => Uint8Array.of(byte)))),
    );
    expect(events).toHaveLength(1);
  });

  test("gives up on an event without an end", async () => {
    const fault: unknown = await eventsOf(`data: ${"x".repeat(2_000_000)}`).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(OversizedReplyError);
  });
});
