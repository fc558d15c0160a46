import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type * as published from "../../src/client/public.d.ts";

/** A folder with the downloaded client of a service, as in a customer's program. */
export interface ClientFolder extends AsyncDisposable {
  path: string;
  /** The exports of the file. */
  client: typeof published;
}

/** Downloads `client.js` from a service, as `client.mjs`. */
export async function downloadClient(serviceUrl: string): Promise<ClientFolder> {
  const path = mkdtempSync(join(tmpdir(), "parley-client-"));
  const file = join(path, "client.mjs");
  const response = await fetch(`${serviceUrl}/cdn/client.js`);
  if (!response.ok) throw new Error(`client.js: ${response.status}`);
  await Bun.write(file, await response.bytes());
  return {
    path,
    client: (await import(file)) as typeof published,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  };
}
