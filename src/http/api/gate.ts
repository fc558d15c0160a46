import { hashOperatorSecret, isOperatorKey, isOperatorSecret, parseBearer } from "../../access/secrets.ts";
import { isLoopback } from "../../config/addresses.ts";
import { ServiceError } from "../../domain/errors.ts";
import { type OperatorPermission, PERMISSIONS_OF } from "../../domain/operator/access.ts";
import type { Now } from "../../domain/time.ts";
import { LINK_MS } from "../../operate/sign-in.ts";
import { SEEN_EVERY_MS, SESSION_LONGEST_MS } from "../../store/interface/operators.ts";
import type { Store } from "../../store/interface/store.ts";
import type { Caller } from "./frame.ts";
import type { Gate } from "./mount.ts";

/** The session cookie. Over HTTPS its name has a prefix that other hosts' pages cannot set (RFC 6265bis §4.1.3). */
export interface SessionCookie {
  name: string;
  /** Header that sets it. */
  set(id: string): string;
  /** Header that deletes it. */
  clear(): string;
  /** The session id of a request. */
  read(request: Request): string | undefined;
}

/** @param operatorUrl public address of the listener; if it is HTTPS, the cookie is restricted to HTTPS. */
export function sessionCookie(operatorUrl: string | undefined): SessionCookie {
  const isSecure = operatorUrl?.startsWith("https:") ?? false;
  const name = isSecure ? "__Host-parley_session" : "parley_session";
  const attributes = `; Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  return {
    name,
    set: (id) => `${name}=${id}; Max-Age=${SESSION_LONGEST_MS / 1000}${attributes}`,
    clear: () => `${name}=; Max-Age=0${attributes}`,
    read: ({ headers }) => valueIn(headers.get("cookie") ?? "", name),
  };
}

/** With several cookies of this name none is trusted, because one was set by somebody else. */
function valueIn(header: string, name: string): string | undefined {
  const values = header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}

export interface GateParts {
  store: Pick<Store, "operators" | "operatorSessions" | "operatorKeys">;
  now: Now;
  cookie: SessionCookie;
  /** Bind address of the operator listener. */
  operatorHost: string;
}

/** Identifies operators by session and scripts by key. */
export function createGate(parts: GateParts): Gate {
  const { store, operatorHost, cookie } = parts;
  return {
    async assertOpen() {
      if (isLoopback(operatorHost) || (await store.operators.isAny())) return;
      throw new ServiceError("NOT_FOUND", "This operator listener serves only GET /metrics.");
    },
    async identify(request) {
      const authorization = request.headers.get("authorization");
      if (authorization !== null) return keyHolder(parts, authorization);
      const id = cookie.read(request);
      return id === undefined ? undefined : sessionHolder(parts, id);
    },
    async invitation() {
      if (await store.operators.isAny()) {
        return "Sign in, or send a key with `Authorization: Bearer parley_op_…`.";
      }
      return "There is no operator yet; `parley operator add NAME --role owner` makes one, and prints a link to sign in.";
    },
  };
}

async function sessionHolder({ store, now }: GateParts, id: string): Promise<Caller | undefined> {
  if (!isOperatorSecret(id)) return undefined;
  const sessionHash = hashOperatorSecret(id);
  const session = await store.operatorSessions.find(sessionHash);
  if (session === undefined) return undefined;
  if (now() - session.seenAt >= SEEN_EVERY_MS) await store.operatorSessions.touch(sessionHash);
  const { operator, openedBy, createdAt, madeBy } = session;
  return {
    kind: "operator",
    name: operator.name,
    role: operator.role,
    stored: operator,
    sessionHash,
    ...(madeBy && { boundTo: madeBy }),
    isFreshByLink: openedBy === "link" && now() - createdAt < LINK_MS,
    permissions: new Set(PERMISSIONS_OF[operator.role]),
  };
}

/** A key has its own permissions, limited by the current ones of the operator who created it. */
async function keyHolder({ store, now }: GateParts, authorization: string): Promise<Caller> {
  const text = parseBearer(authorization) ?? "";
  const found = isOperatorKey(text) ? await store.operatorKeys.find(hashOperatorSecret(text)) : undefined;
  if (found === undefined) throw wrongKey("This is not a key of this server.");
  const { id, label, createdBy, makerRole, permissions, expiresAt, lastUsedAt = 0 } = found;
  if (expiresAt !== undefined && expiresAt <= now()) throw wrongKey("This key has expired.");
  if (now() - lastUsedAt >= SEEN_EVERY_MS) await store.operatorKeys.touch(id);
  const allowed = PERMISSIONS_OF[makerRole];
  return {
    kind: "key",
    id,
    label,
    createdBy,
    boundTo: found,
    permissions: new Set(permissions.filter((permission) => allowed.includes(permission))),
  };
}

function wrongKey(message: string): ServiceError {
  return new ServiceError("UNAUTHORIZED", message, {
    headers: { "WWW-Authenticate": 'Bearer realm="parley"' },
  });
}

/**
 * Rejects granting more permissions than the caller has, in keys, operators or sign-in links.
 *
 * @param asked permissions of the key or operator @throws ServiceError FORBIDDEN
 */
export function refuseMore(
  asked: readonly OperatorPermission[],
  { permissions }: Pick<Caller, "permissions">,
): void {
  const more = asked.filter((name) => !permissions.has(name));
  if (more.length === 0) return;
  throw new ServiceError(
    "FORBIDDEN",
    `You can only grant or remove permissions that you have; you lack ${more.join(", ")}.`,
  );
}
