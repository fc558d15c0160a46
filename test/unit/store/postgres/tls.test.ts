import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { appendFileSync, chmodSync, chownSync, statSync } from "node:fs";
import { join } from "node:path";

import { parseStoreAddress } from "../../../../src/config/store-address.ts";
import { PostgresStore } from "../../../../src/store/postgres/postgres-store.ts";
import { startPostgres, whyNoPostgres } from "../../../support/postgres-server.ts";
import { PATIENT } from "../../../support/postgres-stores.ts";

const isPossible = whyNoPostgres === undefined && process.env["DATABASE_URL"] === undefined;
/** Makes the certificate; where there is none, this is left out. */
const OPENSSL = Bun.which("openssl");

describe.skipIf(!isPossible || OPENSSL === null)(
  "a PostgreSQL server that speaks TLS, for localhost alone",
  () => {
    let server: Awaited<ReturnType<typeof startPostgres>>;
    let certificate: string;

    beforeAll(async () => {
      const first = await startPostgres({ isKept: true });
      await first.stop();
      const key = join(first.folder, "key.pem");
      certificate = join(first.folder, "cert.pem");
      const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2"];
      const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate];
      Bun.spawnSync([OPENSSL!, ...request, ...subject]);
      const { uid, gid } = statSync(join(first.folder, "data"));
      chmodSync(key, 0o600);
      if (process.getuid?.() === 0) chownSync(key, uid, gid);
      const settings = `\nssl = on\nssl_cert_file = '${certificate}'\nssl_key_file = '${key}'\n`;
      appendFileSync(join(first.folder, "data/postgresql.conf"), settings);
      server = await startPostgres({ folder: first.folder, port: first.port });
    });
    afterAll(() => server.stop());

    /** What came of connecting: nothing, or the line for the operator. */
    async function connect(host: string, parameters: string): Promise<string | undefined> {
      const address = parseStoreAddress(`postgres://parley@${host}:${server.port}/postgres?${parameters}`);
      try {
        await using store = await PostgresStore.open({ address, now: Date.now, patience: PATIENT });
        await store.bots.list();
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    }

    test("is taken where its certificate is that of a named authority, and of the host", async () => {
      expect(await connect("localhost", `sslmode=verify-full&sslrootcert=${certificate}`)).toBeUndefined();
    });

    test("is refused by verify-full where nobody vouches for it, or it is of another host", async () => {
      expect(await connect("localhost", "sslmode=verify-full")).toMatch(/^cannot use postgres:.*self.signed/);
      const other = await connect("127.0.0.1", `sslmode=verify-full&sslrootcert=${certificate}`);
      expect(other).toMatch(/^cannot use postgres:.*does not match/);
    });

    test("is taken as it is by require, which verifies nothing", async () => {
      expect(await connect("localhost", "sslmode=require")).toBeUndefined();
    });
  },
);
