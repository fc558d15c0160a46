import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { eventually } from "../support/eventually.ts";
import { EXECUTABLE, emptyFolder } from "../support/executable.ts";

let folder: string;
beforeEach(() => void (folder = emptyFolder()));
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs `quickstart` until it has printed its last line. */
async function startQuickstart() {
  const child = Bun.spawn([EXECUTABLE, "quickstart", "--port", "0", "--operator-port", "0"], {
    cwd: folder,
    env: { PATH: "/usr/bin:/bin", HOME: tmpdir() },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const decoder = new TextDecoder();
  let printed = "";
  for await (const chunk of child.stderr) {
    printed += decoder.decode(chunk, { stream: true });
    if (printed.includes("Stop with Ctrl+C")) break;
  }
  const demoUrls = [...printed.matchAll(/^ {2}(http:\S+)\/demo\/(\S+)$/gm)];
  return {
    child,
    url: demoUrls[0]![1]!,
    botIds: demoUrls.map(([, , botId]) => botId!),
    token: /parley_et_\w{36}/.exec(printed)![0],
  };
}

function chat(url: string, token: string, botId: string, input: string): Promise<Response> {
  return fetch(`${url}/chat`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      Origin: new URL(url).origin,
    },
    body: JSON.stringify({ botId, input }),
  });
}

test("from an empty folder to an answer, by what it prints", async () => {
  const { child, url, botIds, token } = await startQuickstart();
  expect(botIds).toEqual(["acme-orders", "acme-support", "city-kiosk", "riverside-clinic"]);
  for (const botId of botIds) {
    const response = await chat(url, token, botId, "hello");
    expect(response.status).toBe(200);
  }
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
});

test("run again, it keeps bots, token and conversations", async () => {
  const first = await startQuickstart();
  const answer = (await (await chat(first.url, first.token, "acme-support", "hello")).json()) as {
    conversationId: string;
  };
  first.child.kill("SIGINT");
  expect(await first.child.exited).toBe(0);

  const second = await startQuickstart();
  expect(second.token).toBe(first.token);
  second.child.kill("SIGTERM");
  await second.child.exited;
  const shown = Bun.spawnSync([EXECUTABLE, "conversation", "show", answer.conversationId], { cwd: folder });
  expect(shown.stdout.toString()).toContain("> hello");
});

test("the widget, its demo page, and a pinned snippet whose hash is the loader's", async () => {
  const { child, url, botIds, token } = await startQuickstart();
  const [botId = ""] = botIds;
  const page = await fetch(`${url}/demo/${botId}`);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain(`data-bot-id="${botId}"`);
  expect((await fetch(`${url}/demo/nobody`)).status).toBe(404);
  const args = ["bot", "snippet", botId, "--token", token, "--public-url", url, "--pinned"];
  const snippet = Bun.spawnSync([EXECUTABLE, ...args], { cwd: folder }).stdout.toString();
  const [, src, integrity] = /src="([^"]+)".* integrity="([^"]+)"/.exec(snippet)!;
  const loader = await fetch(src!);
  expect(loader.headers.get("cache-control")).toContain("immutable");
  const hash = new Bun.CryptoHasher("sha384").update(await loader.arrayBuffer()).digest("base64");
  expect(integrity).toBe(`sha384-${hash}`);
  child.kill("SIGTERM");
  await child.exited;
});

test("the demo page of a bot made later says that a restart is needed, and works after it", async () => {
  const first = await startQuickstart();
  const page = async ({ url }: { url: string }, botId: string) =>
    (await fetch(`${url}/demo/${botId}`)).text();
  const file = join(folder, "later.yaml");
  const domains = "allowedDomains: [127.0.0.1]";
  await Bun.write(
    file,
    `id: later\nname: Later\n${domains}\nintents:\n  - name: a\n    examples: [hello there]\n    responses: [A.]\n`,
  );
  expect(Bun.spawnSync([EXECUTABLE, "seed", file], { cwd: folder }).exitCode).toBe(0);
  await eventually(async () => (await page(first, "later")).includes("stop the server and start it again"));
  expect(await page(first, "acme-support")).not.toContain("start it again");
  first.child.kill("SIGINT");
  await first.child.exited;

  const second = await startQuickstart();
  expect(await page(second, "later")).not.toContain("start it again");
  expect((await chat(second.url, second.token, "later", "hello there")).status).toBe(200);
  second.child.kill("SIGTERM");
  await second.child.exited;
});
