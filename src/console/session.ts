import type { OperatorPermission, Role } from "../domain/operator/access.ts";
import { ask } from "./api/client.ts";
import { Problem } from "./api/problem.ts";
import { session } from "./api/signed-in.ts";

/** Finds out who is signed in. @throws Problem where the server cannot tell. */
export async function loadSession(): Promise<void> {
  try {
    session.value = await ask("GET /session", {});
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 401) throw error;
    session.value = null;
  }
}

/** Ends the session here and on the server. */
export async function signOut(): Promise<void> {
  await ask("DELETE /session", {});
  session.value = null;
}

/** Whether who is signed in may do that. */
export function may(permission: OperatorPermission): boolean {
  return session.value?.permissions.includes(permission) === true;
}

/** What editors may do; owners may all else, too. */
const BY_EDITORS: ReadonlySet<OperatorPermission> = new Set([
  "read",
  "bots.write",
  "handoffs.answer",
  "models.check",
]);

/** Why something is off for who is signed in, as a sentence; undefined where it is not. */
export function whyNot(permission: OperatorPermission): string | undefined {
  if (may(permission)) return undefined;
  const role: Role = session.value?.operator.role ?? "viewer";
  const who = BY_EDITORS.has(permission) ? "an editor or an owner can do this" : "an owner can do this";
  return `You are ${role === "viewer" ? "a viewer" : `an ${role}`}: ${who}.`;
}
