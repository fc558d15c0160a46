import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { CERTIFICATE, CERTIFICATE_KEY } from "../../../support/certificate.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "parley-tls-"))));
afterEach(() => rmSync(folder, { recursive: true }));

test("a page is fetched by TLS from the address that was checked, and its certificate has to be that of the name", async () => {
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { cert: CERTIFICATE, key: CERTIFICATE_KEY },
    fetch: ({ headers }) => new Response(`this is ${headers.get("host")}`),
  });
  const authorities = join(folder, "authorities.pem");
  writeFileSync(authorities, CERTIFICATE);
  const addresses = ["help.test", "other.test", "127.0.0.1"].map((host) => `https://${host}:${server.port}/`);
  const { stdout } = Bun.spawn(
    [process.execPath, join(import.meta.dir, "../../../support/fetch-documents.ts"), ...addresses],
    // The runtime reads the authorities that it trusts once, at its start.
    { env: { ...process.env, NODE_EXTRA_CA_CERTS: authorities }, stderr: "inherit" },
  );
  const lines = (await new Response(stdout).text()).trim().split("\n");
  const refused = { kind: "failed", reason: "no connection (ERR_TLS_CERT_ALTNAME_INVALID)" };
  expect(lines[0]).toBe(`this is help.test:${server.port}`);
  expect(lines.slice(1).map((line) => JSON.parse(line) as unknown)).toEqual([refused, refused]);
});
