import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";

import { shopBot } from "../support/bots.ts";
import { downloadClient } from "../support/client.ts";
import {
  emptyFolder,
  runExecutable,
  serveExecutable,
  type ServingExecutable,
} from "../support/executable.ts";

let folder: string;
let parley: ServingExecutable;
let token: string;

beforeAll(async () => {
  folder = emptyFolder();
  await runExecutable(["seed", "-", "--no-review"], { cwd: folder, stdin: JSON.stringify(shopBot()) });
  const issued = await runExecutable(["token", "create", "--json", "--server", "--bot", "shop"], {
    cwd: folder,
  });
  ({ token } = JSON.parse(issued.stdout) as { token: string });
  parley = await serveExecutable(folder);
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

describe("the executable serves", () => {
  test.each([
    ["client.js", "text/javascript; charset=utf-8"],
    ["client.d.ts", "text/plain; charset=utf-8"],
  ])("%s to any origin: cached for minutes, compressed, revalidated", async (name, type) => {
    const url = `${parley.url}/cdn/${name}`;
    const { status, headers } = await fetch(url, { headers: { Origin: "https://shop.example" } });
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": type,
      "cache-control": "public, max-age=300",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
      vary: "Accept-Encoding",
    });
    const etag = headers.get("etag")!;
    const again = await fetch(url, { headers: { "If-None-Match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  test("a client that a program on Node takes along", async () => {
    await using own = await downloadClient(parley.url);
    const program = `
      import { createClient } from "./client.mjs";
      const client = createClient({ endpoint: "${parley.url}", token: "${token}", botId: "shop" });
      console.log((await client.chat("where is my order")).response);
    `;
    await Bun.write(join(own.path, "program.mjs"), program);
    const node = Bun.spawn(["node", "program.mjs"], { cwd: own.path, stdout: "pipe" });
    expect(await new Response(node.stdout).text()).toBe("It is on its way.\n");
  });

  test.skipIf(Bun.which("deno") === null)(
    "a client that a program on Deno imports by its address",
    async () => {
      const program = `
      import { createClient } from "${parley.url}/cdn/client.js";
      const client = createClient({ endpoint: "${parley.url}", token: "${token}", botId: "shop" });
      console.log((await client.chat("where is my order")).response);
    `;
      await Bun.write(join(folder, "program.mjs"), program);
      const host = new URL(parley.url).host;
      const deno = Bun.spawn(["deno", "run", "--allow-net", `--allow-import=${host}`, "program.mjs"], {
        cwd: folder,
        stdout: "pipe",
      });
      expect(await new Response(deno.stdout).text()).toBe("It is on its way.\n");
    },
  );
});
