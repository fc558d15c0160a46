import { callerAddressKey } from "../access/client-address.ts";
import { isTooSimple, type Passwords } from "../access/passwords.ts";
import { type RateLimiter, retryAfter } from "../access/rate-limiter.ts";
import { hashOperatorSecret, isOperatorSecret, newOperatorSecret } from "../access/secrets.ts";
import type { RateLimit } from "../domain/bot.ts";
import type { Actor } from "../domain/change.ts";
import { ServiceError } from "../domain/errors.ts";
import type { RandomBytes } from "../domain/ids.ts";
import type { SignInLink } from "../domain/operator/access.ts";
import type { Now } from "../domain/time.ts";
import { runAs } from "../store/changes/current-actor.ts";
import type { StoredOperator, StoredOperatorKey } from "../store/interface/operators.ts";
import type { Store } from "../store/interface/store.ts";

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

/** Ten mistakes, then one attempt a minute: about 500,000 guesses a year per name, far too few for a password of 12 characters. */
const PER_NAME: RateLimit = { capacity: 10, perMinute: 1 };
/** Allows for several people behind one address. */
const PER_ADDRESS: RateLimit = { capacity: 30, perMinute: 10 };

export interface SignInParts {
  store: Pick<Store, "operators" | "operatorSessions">;
  passwords: Passwords;
  /** Used for nothing else. */
  attempts: RateLimiter;
  randomBytes: RandomBytes;
}

/** A new session. Its id is readable only now, for the cookie. */
export interface BegunSession {
  id: string;
  operator: StoredOperator;
}

/** Signs operators in by password or one-time link. Each sign-in starts a session with a new id. */
export class SignIn {
  readonly #parts: SignInParts;

  constructor(parts: SignInParts) {
    this.#parts = parts;
  }

  /** @throws ServiceError UNAUTHORIZED; RATE_LIMITED after too many attempts for the name or from the address. */
  async byPassword(name: string, password: string, clientAddress: string): Promise<BegunSession> {
    const { store, passwords } = this.#parts;
    await this.#take(`address ${callerAddressKey(clientAddress)}`, PER_ADDRESS);
    await this.#take(`name ${name.toLowerCase()}`, PER_NAME);
    const operator = await store.operators.find(name);
    if (!(await passwords.verify(password, operator?.passwordHash)) || operator === undefined) {
      throw new ServiceError("UNAUTHORIZED", "The name or the password is wrong.", {
        logFields: { clientAddress, ...(operator && { operator: operator.name }) },
      });
    }
    return this.#begin(operator, (hash) => store.operatorSessions.openByPassword(operator, hash));
  }

  /**
   * @throws ServiceError UNAUTHORIZED; RATE_LIMITED after too many attempts from the address. A secret has 256 bits and cannot be guessed,
   * but attempts are limited anyway.
   */
  async byLink(secret: string, clientAddress: string): Promise<BegunSession> {
    const { store } = this.#parts;
    const linkHash = hashOperatorSecret(secret);
    const operator = isOperatorSecret(secret) ? await store.operators.findByLink(linkHash) : undefined;
    if (operator === undefined) {
      await this.#take(`address ${callerAddressKey(clientAddress)}`, PER_ADDRESS);
      throw linkIsOver(clientAddress);
    }
    return this.#begin(
      operator,
      (hash) => store.operatorSessions.openByLink(linkHash, hash),
      () => linkIsOver(clientAddress),
    );
  }

  /**
   * Sets a password, ends all sessions of the operator, and starts a new one.
   *
   * @param current is checked unless the operator has no password or has just signed in by link. @throws ServiceError FORBIDDEN if
   * `current` is wrong or missing, INVALID_REQUEST if the password is too simple.
   */
  async setPassword(
    operator: StoredOperator,
    password: string,
    current: string | undefined,
    needsCurrent: boolean,
  ): Promise<BegunSession> {
    const { store, passwords } = this.#parts;
    if (needsCurrent && operator.passwordHash !== undefined) await this.#checkCurrent(operator, current);
    if (isTooSimple(password)) {
      throw new ServiceError(
        "INVALID_REQUEST",
        "This password is too easy to guess: it is one character repeated, or a run such as 123456789012. Use a few words.",
      );
    }
    const passwordHash = await passwords.hash(password);
    return this.#begin(operator, (hash) => store.operators.setPassword(operator.name, passwordHash, hash));
  }

  async #checkCurrent({ name, passwordHash }: StoredOperator, current: string | undefined): Promise<void> {
    await this.#take(`name ${name.toLowerCase()}`, PER_NAME);
    if (current !== undefined && (await this.#parts.passwords.verify(current, passwordHash))) return;
    throw new ServiceError(
      "FORBIDDEN",
      "The current password is wrong; after signing in with a new link, it is not needed.",
    );
  }

  async #begin(
    operator: StoredOperator,
    open: (sessionHash: Uint8Array) => Promise<boolean>,
    gone = () => new ServiceError("UNAUTHORIZED", "The name or the password is wrong."),
  ): Promise<BegunSession> {
    const id = newOperatorSecret(this.#parts.randomBytes);
    const actor: Actor = { kind: "operator", name: operator.name };
    if (!(await runAs(actor, () => open(hashOperatorSecret(id))))) throw gone();
    return { id, operator };
  }

  async #take(key: string, limit: RateLimit): Promise<void> {
    const { allowed, retryAfterMs } = await this.#parts.attempts.take(key, limit);
    if (allowed) return;
    throw new ServiceError(
      "RATE_LIMITED",
      "Too many attempts to sign in; try again later, or ask for a link.",
      {
        headers: { "Retry-After": retryAfter(retryAfterMs) },
      },
    );
  }
}

function linkIsOver(clientAddress: string): ServiceError {
  return new ServiceError(
    "UNAUTHORIZED",
    "This link has been used, was replaced by a newer one, or is older than 15 minutes; `parley operator link NAME` makes another.",
    { logFields: { clientAddress } },
  );
}
