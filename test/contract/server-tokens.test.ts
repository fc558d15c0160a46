import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { hashEmbedToken, newEmbedToken } from "../../src/access/secrets.ts";
import { type BotId, type EmbedToken, newEmbedTokenId, secureRandomBytes } from "../../src/domain/ids.ts";
import { shopBot } from "../support/bots.ts";
import { type TestParley, startParley } from "../support/parley.ts";

let parley: TestParley;
let token: EmbedToken;

beforeAll(async () => {
  parley = await startParley({
    bots: [shopBot({ id: "shop", allowedDomains: ["shop.example"] }), shopBot({ id: "other" })],
  });
  token = newEmbedToken(secureRandomBytes, "server");
  await parley.store.embedTokens.create({
    id: newEmbedTokenId(Date.now(), secureRandomBytes, "server"),
    hash: hashEmbedToken(token),
    botIds: ["shop" as BotId],
  });
});
afterAll(() => parley[Symbol.asyncDispose]());

const ask = (headers: Record<string, string> = {}, botId = "shop") =>
  parley.chat({ botId, input: "where is my order" }, { token, headers });

describe("a server token", () => {
  test("has its own prefix, and the shape of the others", () => {
    expect(token).toMatch(/^parley_st_[0-9A-Za-z]{36}$/);
  });

  test("speaks to its bot without a page, whatever domains the bot has", async () => {
    expect((await ask()).status).toBe(200);
    const embed = await parley.chat({ botId: "shop", input: "where is my order" });
    expect(embed.status).toBe(403);
  });

  test("speaks to no other bot", async () => {
    expect((await ask({}, "other")).status).toBe(401);
  });

  test.each([
    ["Origin", "https://shop.example"],
    ["Sec-Fetch-Site", "same-origin"],
    ["Sec-Fetch-Dest", "empty"],
    ["Sec-Fetch-User", "?1"],
    ["Sec-Fetch-Mode", "navigate"],
  ])("is refused where the request has %s: a browser sends it", async (name, value) => {
    const response = await ask({ [name]: value });
    expect(response.status).toBe(401);
    const { code, detail } = (await response.json()) as { code: string; detail: string };
    expect(code).toBe("UNAUTHORIZED");
    expect(detail).toContain("revoke it");
  });

  test("speaks from Node, whose fetch names its mode and nothing else of a browser's", async () => {
    expect((await ask({ "Sec-Fetch-Mode": "cors" })).status).toBe(200);
    const asked = `fetch(${JSON.stringify(`${parley.url}/chat`)}, {
      method: "POST",
      headers: { Authorization: "Bearer ${token}", "Content-Type": "application/json" },
      body: '{"botId": "shop", "input": "where is my order"}',
    }).then(({ status }) => console.log(status))`;
    const node = Bun.spawn(["node", "--eval", asked], { stdout: "pipe" });
    expect(await new Response(node.stdout).text()).toBe("200\n");
  });

  test("is revoked like any other", async () => {
    const stored = (await parley.store.embedTokens.list()).find(({ id }) => id.startsWith("st_"));
    expect(await parley.store.embedTokens.revoke(stored!.id)).toBe(true);
    while ((await ask()).status !== 401) await Bun.sleep(20);
  });
});
