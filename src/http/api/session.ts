import { Type } from "@sinclair/typebox";

import { hashOperatorSecret } from "../../access/secrets.ts";
import { ServiceError } from "../../domain/errors.ts";
import {
  OperatorName,
  type OperatorPermission,
  Password,
  PERMISSIONS,
  PERMISSIONS_OF,
  Session,
} from "../../domain/operator/access.ts";
import { VERSION } from "../../domain/version.ts";
import type { BegunSession, SignIn } from "../../operate/sign-in.ts";
import type { Store } from "../../store/interface/store.ts";
import { type ApiRoute, type Caller, Reply, route, type SessionCaller } from "./frame.ts";
import type { SessionCookie } from "./gate.ts";

export interface SessionParts {
  store: Pick<Store, "operatorSessions">;
  signIn: SignIn;
  cookie: SessionCookie;
  addresses: () => { publicUrl: string };
}

/** Passwords are hashed before comparison; longer input would only cost time. */
const TypedPassword = Type.String({ minLength: 1, maxLength: 1000 });

/** Routes of the session. */
export function sessionRoutes(parts: SessionParts): ApiRoute[] {
  const { addresses, cookie, store } = parts;
  return [
    route({
      method: "GET",
      path: "/session",
      permission: "signed-in",
      summary: "The caller and their permissions",
      response: Session,
      answer: ({ caller }) => sessionOf(caller, addresses().publicUrl),
    }),
    route({
      method: "POST",
      path: "/session",
      permission: "anyone",
      summary: "Sign in with a password",
      body: Type.Object({ name: OperatorName, password: TypedPassword }),
      response: Session,
      async answer({ body, caller, clientAddress, request }) {
        refuseKey(caller);
        const begun = await parts.signIn.byPassword(body.name, body.password, clientAddress);
        return welcome(parts, request, begun);
      },
    }),
    route({
      method: "POST",
      path: "/session/link",
      permission: "anyone",
      summary: "Sign in with the secret of a one-time link",
      body: Type.Object({ secret: Type.String({ minLength: 1, maxLength: 200 }) }),
      response: Session,
      async answer({ body, caller, clientAddress, request }) {
        refuseKey(caller);
        return welcome(parts, request, await parts.signIn.byLink(body.secret, clientAddress));
      },
    }),
    route({
      method: "DELETE",
      path: "/session",
      permission: "signed-in",
      summary: "Sign out",
      async answer({ caller }) {
        await store.operatorSessions.end(sessionCaller(caller).sessionHash);
        return new Reply(undefined, { headers: { "Set-Cookie": cookie.clear() } });
      },
    }),
    route({
      method: "PUT",
      path: "/session/password",
      permission: "signed-in",
      summary: "Set the caller's password, which ends all other sessions of theirs",
      body: Type.Object({ password: Password, current: Type.Optional(TypedPassword) }),
      response: Session,
      async answer({ caller, body, request }) {
        const { stored, isFreshByLink } = sessionCaller(caller);
        if (caller.boundTo) throw keySetsNoPassword();
        const begun = await parts.signIn.setPassword(stored, body.password, body.current, !isFreshByLink);
        const withPassword = { ...begun, operator: { ...begun.operator, passwordHash: "set" } };
        return welcome(parts, request, withPassword);
      },
    }),
  ];
}

/** Ends the browser's earlier session, against session fixation. */
async function welcome({ store, cookie, addresses }: SessionParts, request: Request, begun: BegunSession) {
  const earlier = cookie.read(request);
  if (earlier !== undefined) await store.operatorSessions.end(hashOperatorSecret(earlier));
  const { name, role, passwordHash } = begun.operator;
  const stored = await store.operatorSessions.find(hashOperatorSecret(begun.id));
  const session: Session = {
    operator: { name, role },
    permissions: [...PERMISSIONS_OF[role]],
    hasPassword: passwordHash !== undefined,
    ...(stored?.madeBy && { isByKey: true }),
    version: VERSION,
    publicUrl: addresses().publicUrl,
  };
  return new Reply(session, { headers: { "Set-Cookie": cookie.set(begun.id) } });
}

function sessionOf(caller: Caller, publicUrl: string): Session {
  const isByKey = caller.kind === "operator" && caller.boundTo !== undefined;
  return {
    ...personOf(caller),
    permissions: sorted(caller.permissions),
    ...(isByKey && { isByKey }),
    version: VERSION,
    publicUrl,
  };
}

/** A key is shown with the lowest role; its permissions are listed separately. */
function personOf(caller: Caller): Pick<Session, "operator" | "hasPassword"> {
  if (caller.kind === "key") return { operator: { name: caller.label, role: "viewer" }, hasPassword: false };
  const { name, role, stored } = caller;
  return { operator: { name, role }, hasPassword: stored.passwordHash !== undefined };
}

/** In the order of declaration. */
function sorted(permissions: ReadonlySet<OperatorPermission>): OperatorPermission[] {
  return PERMISSIONS.filter((permission) => permissions.has(permission));
}

function sessionCaller(caller: Caller): SessionCaller {
  if (caller.kind === "operator") return caller;
  throw keyIsNoSession();
}

function refuseKey(caller: Caller | undefined): void {
  if (caller?.kind === "key") throw keyIsNoSession();
}

/** A password would outlive the key that created the link. */
function keySetsNoPassword(): ServiceError {
  return new ServiceError(
    "FORBIDDEN",
    "A key made this session's link, so it cannot set a password; ask an operator for a link, or use `parley operator link NAME`.",
  );
}

function keyIsNoSession(): ServiceError {
  return new ServiceError("FORBIDDEN", "A key has no session; send it with each request.");
}
