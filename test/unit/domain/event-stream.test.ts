import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { type ServerSentEvent, takeEvents } from "../../../src/domain/event-stream.ts";

/** The events of a stream that comes in pieces. */
function eventsOf(...pieces: string[]): ServerSentEvent[] {
  let text = "";
  return pieces.flatMap((piece) => {
    const { events, rest } = takeEvents(text + piece);
    text = rest;
    return events;
  });
}

const message = (data: string): ServerSentEvent => ({ event: "message", data });

describe("a text of server-sent events", () => {
  test.each<[string, ServerSentEvent[]]>([
    ["data: a\n\ndata: b\n\n", [message("a"), message("b")]],
    ["event: delta\ndata: a\n\n", [{ event: "delta", data: "a" }]],
    ["data:a\r\n\r\ndata: b\r\rdata: c\n\n", [message("a"), message("b"), message("c")]],
    ["data: one\ndata: two\n\n", [message("one\ntwo")]],
    [": heartbeat\n\nid: 1\nevent: x\n\ndata: a\n\n", [message("a")]],
    ["data:  two spaces\n\n", [message(" two spaces")]],
    ["data: a\u2028b\u2029c\n\n", [message("a\u2028b\u2029c")]],
    ["data: without an end\n", []],
  ])("%j gives %j", (text, expected) => {
    expect(eventsOf(text)).toEqual(expected);
  });

  test("gives the same events wherever it is cut", () => {
    const text = 'event: a\r\ndata: {"a":"ä😀"}\r\n\r\n: x\n\ndata: b\r\ndata: c\r\n\r\ndata: d\r\r';
    const whole = eventsOf(text, "data");
    expect(whole).toHaveLength(3);
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 12 }), (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
        const pieces = places.slice(1).map((end, index) => text.slice(places[index], end));
        expect(eventsOf(...pieces, "data")).toEqual(whole);
      }),
    );
  });
});
