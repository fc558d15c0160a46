import { expect, test } from "bun:test";
import { dirname, join, normalize } from "node:path";

import { Glob } from "bun";

const SRC = join(import.meta.dir, "../../src");

/** From the edge inwards: a file may import its own room and what stands below, never above or beside. */
const LAYERS: readonly (readonly string[])[] = [
  ["main", "build"],
  ["cli"],
  ["operate"],
  ["http"],
  ["runtime"],
  ["chat"],
  ["bots"],
  ["metrics"],
  ["intent", "governance", "respond", "model", "access", "store", "seed"],
  ["text"],
  ["config"],
  ["domain"],
  ["widget", "console"],
  ["types"],
];

function roomOf(file: string): string {
  return file.includes("/") ? file.slice(0, file.indexOf("/")) : file.replace(/\.ts$/, "");
}

function layerOf(room: string): number {
  const layer = LAYERS.findIndex((rooms) => rooms.includes(room));
  if (layer < 0) throw new Error(`src/${room} has no place in the order; add it to LAYERS`);
  return layer;
}

async function importsOf(file: string): Promise<{ target: string; typeOnly: boolean }[]> {
  const source = await Bun.file(join(SRC, file)).text();
  const pattern = /^(import|export)\s+(type\s)?[^;]*?from\s+"(\.[^"]+)"/gms;
  return [...source.matchAll(pattern)].map(([, , typeOnly, specifier]) => ({
    target: normalize(join(dirname(file), specifier!)),
    typeOnly: typeOnly !== undefined,
  }));
}

/** Read alike by the service and by browsers. It imports nothing, so that no schema comes into a page with it. */
const PROTOCOL = "domain/event-stream.ts";

function isAllowed(from: string, target: string, typeOnly: boolean): boolean {
  const to = target.startsWith("..") ? ".." : roomOf(target);
  if (from === to || to === "..") return true;
  if (from === "widget" || from === "console") return target === PROTOCOL || (to === "domain" && typeOnly);
  return layerOf(to) > layerOf(from);
}

test("imports point down, and peers never meet", async () => {
  const offences: string[] = [];
  for await (const file of new Glob("**/*.{ts,tsx}").scan(SRC)) {
    for (const { target, typeOnly } of await importsOf(file)) {
      if (!isAllowed(roomOf(file), target, typeOnly)) offences.push(`${file} imports ${target}`);
    }
  }
  expect(offences).toEqual([]);
});
