import { BucketConnection } from "../../src/access/shared-buckets/bucket-connection.ts";
import { whyUnreachable } from "../../src/access/shared-buckets/bucket-server.ts";
import { SecretUrl } from "../../src/domain/secret-url.ts";

/** A busy machine takes its time. */
const PATIENCE = { connectMs: 30_000, lateTicks: 600 };

/** Says whether the server of buckets at the address that it is given can be used, by what this process trusts. */
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
