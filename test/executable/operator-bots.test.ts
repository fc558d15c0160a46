import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { emptyFolder, runExecutable, serveExecutable } from "../support/executable.ts";

let folder: string;
beforeEach(() => void (folder = emptyFolder()));
afterEach(() => rmSync(folder, { recursive: true }));

const BOT = `# by hand
id: acme
name: Acme
allowedDomains: ["*"]
intents:
  - { name: hours, examples: [when do you open, what are your hours], responses: [From nine to five.] }
`;

test("a bot is checked, tried and published with nothing else at hand: the threads are inside", async () => {
  writeFileSync(join(folder, "acme.yaml"), BOT);
  await runExecutable(["seed", "acme.yaml"], { cwd: folder });
  await using server = await serveExecutable(folder);
  const { stdout } = await runExecutable(["operator", "add", "ann", "--role", "owner"], { cwd: folder });
  const headers = { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" };
  const post = (path: string, body: object, more: Record<string, string> = {}, method = "POST") =>
    fetch(`${server.operatorUrl}/api/v1${path}`, {
      method,
      headers: { ...headers, ...more },
      body: JSON.stringify(body),
    });
  const secret = /#link=(\S+)/.exec(stdout)?.[1];
  const session = await post("/session/link", { secret });
  const Cookie = session.headers.get("set-cookie")!.split(";")[0]!;
  const faulty = await post("/bots/acme/validate", { yaml: "id: acme\nname: 3\n" }, { Cookie });
  expect(await faulty.json()).toMatchObject({ mistakes: [{ line: 1 }, { line: 2, column: 7 }] });
  const yaml = BOT.replace("From nine to five.", "From ten to six.");
  const tried = await post("/bots/acme/try", { input: "when do you open", yaml }, { Cookie });
  expect(await tried.json()).toMatchObject({ response: "From ten to six.", outcome: "answered" });
  const published = await post("/bots/acme", { yaml }, { Cookie, "If-Match": '"v1"' }, "PUT");
  expect(await published.json()).toMatchObject({ version: 2, yaml, publishedBy: "ann" });
  const exported = await runExecutable(["bot", "export", "acme"], { cwd: folder });
  expect(exported.stdout).toBe(yaml);
});
