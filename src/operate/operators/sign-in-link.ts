import { hashOperatorSecret, newOperatorSecret } from "../../access/operator-secrets.ts";
import type { RandomBytes } from "../../domain/ids.ts";
import type { SignInLink } from "../../domain/operator/access.ts";
import type { Now } from "../../domain/time.ts";
import type { StoredOperatorKey } from "../../store/interface/operators.ts";
import type { Store } from "../../store/interface/store.ts";

/** Long enough to send it to somebody who is waiting for it, and too short to be found in an old mail. */
export const LINK_MS = 15 * 60_000;

export interface LinkParts {
  store: Pick<Store, "operators">;
  now: Now;
  randomBytes: RandomBytes;
  /** Where operators reach the listener. */
  operatorUrl: string;
}

/**
 * A one-time link for an operator, in place of an earlier one; undefined where there is no such operator. Its secret stands in the fragment,
 * which browsers send to no server and write into no log.
 *
 * @param boundTo the key that makes the link: it ends with it, and so does the session that comes of it.
 */
export async function issueSignInLink(
  { store, now, randomBytes, operatorUrl }: LinkParts,
  name: string,
  boundTo?: Pick<StoredOperatorKey, "id" | "expiresAt">,
): Promise<SignInLink | undefined> {
  const secret = newOperatorSecret(randomBytes);
  const expiresAt = Math.min(now() + LINK_MS, boundTo?.expiresAt ?? Infinity);
  const link = { hash: hashOperatorSecret(secret), expiresAt, ...(boundTo && { madeBy: boundTo.id }) };
  if (!(await store.operators.issueLink(name, link))) return undefined;
  return { url: `${operatorUrl.replace(/\/+$/, "")}/sign-in#link=${secret}`, expiresAt };
}
