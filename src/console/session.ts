import type { OperatorPermission, Role } from "../domain/operator/access.ts";
import { ask } from "./api/client.ts";
import { session } from "./api/connection.ts";
import { Problem } from "./api/problem.ts";
import { forgetDrafts, saveDrafts } from "./draft/open-drafts.ts";
import { forgetReplies, hasReplies, openReplies } from "./draft/replies.ts";
import { toasts } from "./toasts.ts";

/** Reads the session. @throws Problem if the server cannot tell. */
export async function loadSession(): Promise<void> {
  try {
    session.value = await ask("GET /session", {});
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 401) throw error;
    session.value = null;
  }
}

/**
 * Saves unsaved text and ends the session on the server and here.
 *
 * @param mayLose asks whether text that could not be saved may be lost. @throws Problem if the server did not end it; the session then
 * continues.
 */
export async function signOut(mayLose: () => boolean): Promise<void> {
  const isKept = await saveDrafts();
  if ((!isKept || hasReplies()) && !mayLose()) return;
  await ask("DELETE /session", {});
  forgetDrafts();
  forgetReplies();
  session.value = null;
}

/** Deletes one operator's texts before the next operator uses the page. A session that expired keeps them for the same operator. */
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

/** Whether the operator has a permission. */
export function may(permission: OperatorPermission): boolean {
  return session.value?.permissions.includes(permission) === true;
}

/** Permissions of editors. Owners have all. */
const BY_EDITORS: ReadonlySet<OperatorPermission> = new Set([
  "read",
  "bots.write",
  "handoffs.answer",
  "models.check",
]);

/** Why the operator may not do something, as a sentence; undefined if they may. */
export function whyNot(permission: OperatorPermission): string | undefined {
  if (may(permission)) return undefined;
  const role: Role = session.value?.operator.role ?? "viewer";
  const who = BY_EDITORS.has(permission) ? "an editor or an owner can do this" : "an owner can do this";
  return `You are ${role === "viewer" ? "a viewer" : `an ${role}`}: ${who}.`;
}
