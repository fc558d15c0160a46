import { BucketConnection } from "../../access/shared-buckets/bucket-connection.ts";
import { whyUnreachable } from "../../access/shared-buckets/why-unreachable.ts";
import type { SecretUrl } from "../../domain/secret-url.ts";
import { type Finding, fine } from "./finding.ts";

/** Connects to the server of the token buckets and takes one message from a test bucket. */
export async function examineBucketServer(url: SecretUrl): Promise<Finding> {
  using connection = new BucketConnection(url);
  try {
    await connection.open();
    const askedAt = performance.now();
    await connection.try();
    return fine("buckets", `${url.shown} answers in ${(performance.now() - askedAt).toFixed(1)} ms`);
  } catch (error) {
    return {
      check: "buckets",
      severity: "mend",
      message: `${url.shown} cannot be used: ${await whyUnreachable(url, error)}; every instance counts by itself meanwhile`,
      cure: "start that server, or mend its address in PARLEY_BUCKETS; servers of Parley come back to it by themselves",
    };
  }
}
