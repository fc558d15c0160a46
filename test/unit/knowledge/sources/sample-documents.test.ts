import { describe, expect, test } from "bun:test";
import { join } from "node:path";

import { sampleBots } from "../../../../src/cli/samples.ts";
import { collectKnowledge } from "../../../../src/knowledge/sources/collect.ts";
import { knowledgeSources } from "../../../../src/knowledge/sources/source.ts";
import { readBotSources } from "../../../../src/seed/bot-sources.ts";

const DATA = join(import.meta.dir, "../../../../data");

const SAMPLES = sampleBots().map(({ id }) => id as string);

describe.each([
  ["acme-support", "https://acme.example/help/"],
  ["riverside-clinic", "https://riverside-clinic.example/help/"],
])("the documents of %s", (bot, site) => {
  const read = () =>
    collectKnowledge({ sources: knowledgeSources({ knowledge: [`${bot}/`] }), folder: DATA, known: [] });

  test("are those of a sample bot, and can all be read", async () => {
    expect(SAMPLES).toContain(bot);
    const { sources } = await read();
    expect(sources[0]!.skipped).toEqual([]);
    expect(sources[0]!.documents.length).toBeGreaterThanOrEqual(9);
  });

  test("have each a title, a place on the bot's site, and several passages with headings and anchors", async () => {
    const documents = (await read()).sources[0]!.documents;
    const urls = documents.map(({ url }) => url ?? "");
    expect(new Set(urls).size).toBe(documents.length);
    expect(urls.filter((url) => !url.startsWith(site))).toEqual([]);
    expect(documents.filter(({ passages }) => passages.length < 4)).toEqual([]);
    const passages = documents.flatMap((document) => document.passages);
    expect(passages.filter(({ anchor }) => anchor === undefined)).toEqual([]);
  });

  test("have no passage of what the bot denies by its words", async () => {
    const denied = sampleBots().find(({ id }) => id === bot)!.capabilityProfile?.denyTerms ?? [];
    const text = JSON.stringify((await read()).sources).toLowerCase();
    expect(denied.filter((term) => text.includes(term))).toEqual([]);
  });
});

test("seeding the folder of the samples takes none of their documents for a bot file", async () => {
  const { sources, problems } = await readBotSources([DATA], () =>
    Promise.reject(new Error("not asked for")),
  );
  expect(problems).toEqual([]);
  expect(sources.map(({ name }) => name.slice(DATA.length + 1))).toEqual([
    "acme-orders.yaml",
    "acme-support.yaml",
    "city-kiosk.yaml",
    "riverside-clinic.yaml",
  ]);
});
