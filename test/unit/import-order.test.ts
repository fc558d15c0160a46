import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";

import { circlesOf, graphOf, type Import, importsIn, readImports } from "../support/import-graph.ts";

/** From the edge inwards: a file may import its own room and what stands below, never above or beside. */
const LAYERS: readonly (readonly string[])[] = [
  ["main", "build"],
  ["cli"],
  ["http"],
  ["runtime"],
  ["operate"],
  ["chat"],
  ["bots"],
  ["metrics"],
  ["action"],
  ["intent", "governance", "respond", "model", "access", "store", "seed", "log", "notify"],
  ["social", "texts", "knowledge"],
  ["text"],
  ["config", "help"],
  ["domain"],
  ["console"],
  ["widget"],
  ["client"],
  ["types"],
];

/** The only file of `intent/` that other rooms may import. */
const INTENT_DOOR = "intent/classifier.ts";

/** The rooms of the store: both engines stand on what they share, and do not know each other. `copy/` knows both. */
function storeRoomOf(file: string): string {
  const room = /^store\/(sqlite|postgres|copy)\//.exec(file)?.[1];
  return room ?? "shared";
}

let imports: Import[];
beforeAll(async () => {
  imports = await readImports(join(import.meta.dir, "../../src"));
});

function roomOf(file: string): string {
  return file.includes("/") ? file.slice(0, file.indexOf("/")) : file.replace(/\.ts$/, "");
}

/** The first two folders of a file's path; a file that lies in the room itself stands alone. */
function subRoomOf(file: string): string {
  const [room, subRoom, inner] = file.split("/");
  return inner === undefined ? file : `${room}/${subRoom}`;
}

function layerOf(room: string): number {
  const layer = LAYERS.findIndex((rooms) => rooms.includes(room));
  if (layer < 0) throw new Error(`src/${room} has no place in the order; add it to LAYERS`);
  return layer;
}

/** Read alike by the service and by browsers. They import nothing but types, so that no schema comes into a page with them. */
const SHARED_RULES = new Set([
  "domain/event-stream.ts",
  "domain/intent-pattern.ts",
  "domain/opening-hours.ts",
  "domain/transcript.ts",
]);

/**
 * What the console takes from the widget: answers are drawn as visitors see them, by the same code; and both are bundled and packed the
 * same way.
 */
const OF_WIDGET_FOR_CONSOLE = /^widget\/(?:markdown\/|build\.ts$|assets\.ts$)/;

/** What runs in browsers, and knows of the service nothing but types and shared rules. */
const PAGE_ROOMS = new Set(["console", "widget", "client"]);

function pointsDown({ from, to, typeOnly }: Import): boolean {
  const [source, target] = [roomOf(from), roomOf(to)];
  if (source === target) return true;
  if (PAGE_ROOMS.has(source))
    return (
      SHARED_RULES.has(to) ||
      (target === "domain" && typeOnly) ||
      (source === "console" && OF_WIDGET_FOR_CONSOLE.test(to)) ||
      // The widget reads streams and waits as the client does.
      (source === "widget" && target === "client")
    );
  return layerOf(target) > layerOf(source);
}

function describeImports(offences: readonly Import[]): string[] {
  return offences.map(({ from, to }) => `${from} imports ${to}`);
}

describe("src", () => {
  test("imports point down, and peers never meet", () => {
    expect(describeImports(imports.filter((found) => !pointsDown(found)))).toEqual([]);
  });

  test("what pages share with the service import nothing but types", () => {
    expect(
      describeImports(imports.filter(({ from, typeOnly }) => SHARED_RULES.has(from) && !typeOnly)),
    ).toEqual([]);
  });

  test("no file imports itself by way of others, types included", () => {
    expect(circlesOf(graphOf(imports, (file) => file))).toEqual([]);
  });

  test.each(["chat", "intent", "governance"])("the sub-rooms of %s have an order", (room) => {
    const inside = imports.filter(({ from, to }) => roomOf(from) === room && roomOf(to) === room);
    expect(circlesOf(graphOf(inside, subRoomOf))).toEqual([]);
  });

  test(`other rooms enter intent by ${INTENT_DOOR} alone`, () => {
    const entering = imports.filter(({ from, to }) => roomOf(to) === "intent" && roomOf(from) !== "intent");
    expect(entering.length).toBeGreaterThan(0);
    expect(describeImports(entering.filter(({ to }) => to !== INTENT_DOOR))).toEqual([]);
  });

  test("no engine of the store imports the other's files, and what they share imports neither's", () => {
    const crossing = imports.filter(({ from, to }) => {
      if (roomOf(from) !== "store" || roomOf(to) !== "store") return false;
      const [source, target] = [storeRoomOf(from), storeRoomOf(to)];
      return source !== target && source !== "copy" && target !== "shared";
    });
    expect(describeImports(crossing)).toEqual([]);
  });

  test("the composition root is imported by commands, the server and rehearsals alone", () => {
    const importers = imports.filter(({ to }) => to === "runtime.ts").map(({ from }) => from);
    expect(importers).toContain("http/server.ts");
    const others = new Set(["http/server.ts", "runtime/open-rehearsal.ts"]);
    expect(importers.filter((file) => !others.has(file) && roomOf(file) !== "cli")).toEqual([]);
  });
});

describe("the reader of imports", () => {
  test("sees types, re-exports, side effects and dynamic imports, and no packages", () => {
    const source = [
      'import { Elysia } from "elysia";',
      'import {\n  a,\n  type B,\n} from "../b.ts";',
      'import type { C } from "./c.ts";',
      'export * from "./d/d.ts";',
      'import "./e.css";',
      'const { f } = await import("./f.ts");',
      'export const notAnImport = "./g.ts";',
    ].join("\n");
    expect(importsIn(source, "room/a.ts")).toEqual([
      { from: "room/a.ts", to: "b.ts", typeOnly: false },
      { from: "room/a.ts", to: "room/c.ts", typeOnly: true },
      { from: "room/a.ts", to: "room/d/d.ts", typeOnly: false },
      { from: "room/a.ts", to: "room/e.css", typeOnly: false },
      { from: "room/a.ts", to: "room/f.ts", typeOnly: false },
    ]);
  });

  test("finds each circle once, and what merely leads to one is none", () => {
    const edges = [
      ["a", "b"],
      ["b", "c"],
      ["c", "a"],
      ["d", "a"],
      ["c", "e"],
      ["x", "y"],
      ["y", "x"],
    ].map(([from, to]) => ({ from: from!, to: to!, typeOnly: true }));
    expect(circlesOf(graphOf(edges, (file) => file))).toEqual([
      ["a", "b", "c"],
      ["x", "y"],
    ]);
  });
});
