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
  ["social", "texts"],
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

function isAllowed(from: string, to: string, typeOnly: boolean): boolean {
  if (from === to || to.startsWith("..")) return true;
  if (from === "widget" || from === "console") return to === "domain" && typeOnly;
  return layerOf(to) > layerOf(from);
}

test("imports point down, and peers never meet", async () => {
  const offences: string[] = [];
  for await (const file of new Glob("**/*.{ts,tsx}").scan(SRC)) {
    for (const { target, typeOnly } of await importsOf(file)) {
      const [from, to] = [roomOf(file), target.startsWith("..") ? ".." : roomOf(target)];
      if (!isAllowed(from, to, typeOnly)) offences.push(`${file} imports ${target}`);
    }
  }
  expect(offences).toEqual([]);
});
