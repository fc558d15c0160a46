import type { OperatorPermission, Role } from "../domain/operator/access.ts";
import { ask } from "./api/client.ts";
import { Problem } from "./api/problem.ts";
import { session } from "./api/signed-in.ts";
import { forgetDrafts, saveDrafts } from "./draft/open-drafts.ts";
import { forgetReplies, hasReplies, openReplies } from "./draft/replies.ts";
import { toasts } from "./toasts.ts";

/** Finds out who is signed in. @throws Problem where the server cannot tell. */
export async function loadSession(): Promise<void> {
  try {
    session.value = await ask("GET /session", {});
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 401) throw error;
    session.value = null;
  }
}

/**
 * Saves what was typed, and ends the session on the server and here.
 *
 * @param mayLose asks whether what could not be saved may be lost.
 * @throws Problem where the server did not end it: the session goes on.
 */
export async function signOut(mayLose: () => boolean): Promise<void> {
  const isKept = await saveDrafts();
  if ((!isKept || hasReplies()) && !mayLose()) return;
  await ask("DELETE /session", {});
  forgetDrafts();
  forgetReplies();
  session.value = null;
}

/** Leaves nothing of one operator to the next one at the same page. A session that has ended by itself keeps what its operator typed. */
export function followSession(): void {
  let latest: string | undefined;
  session.subscribe((now) => {
    if (now === null) toasts.value = [];
    if (!now) return;
    if (latest !== undefined && latest !== now.operator.name) forgetDrafts();
    latest = now.operator.name;
    openReplies(latest);
  });
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
