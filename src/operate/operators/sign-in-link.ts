import { hashOperatorSecret, newOperatorSecret } from "../../access/operator-secrets.ts";
import type { RandomBytes } from "../../domain/ids.ts";
import type { SignInLink } from "../../domain/operator/access.ts";
import type { Now } from "../../domain/time.ts";
import type { StoredOperatorKey } from "../../store/interface/operators.ts";
import type { Store } from "../../store/interface/store.ts";

/** Long enough to reach a person who is waiting for it, and too short to be useful in an old e-mail. */
export const LINK_MS = 15 * 60_000;

export interface LinkParts {
  store: Pick<Store, "operators">;
  now: Now;
  randomBytes: RandomBytes;
  /** Address of the operator listener. */
  operatorUrl: string;
}

/**
 * Issues a one-time link for an operator and revokes earlier ones; undefined if there is no such operator. The secret is in the fragment,
 * which browsers do not send and servers do not log.
 *
 * @param boundTo the key that creates the link: link and session end with it.
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
