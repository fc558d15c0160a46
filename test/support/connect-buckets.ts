import { BucketConnection } from "../../src/access/shared-buckets/bucket-connection.ts";
import { whyUnreachable } from "../../src/access/shared-buckets/bucket-server.ts";
import { SecretUrl } from "../../src/domain/secret-url.ts";

/** Generous limits, because the machine may be busy. */
const PATIENCE = { connectMs: 30_000, lateTicks: 600 };

/** Whether the bucket server at an address can be used with this process's trusted certificates. */
async function tryServer(url: SecretUrl): Promise<string> {
  using connection = new BucketConnection(url, PATIENCE);
  try {
    await connection.open();
    return "connected";
  } catch (error) {
    return whyUnreachable(url, error);
  }
}

if (import.meta.main) console.log(await tryServer(new SecretUrl(process.argv[2]!)));
