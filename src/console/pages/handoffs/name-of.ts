import type { HandoffRow } from "../../../domain/operator/handoffs.ts";

/** Name of a visitor in the list: the given name, or else a contact detail. */
export function nameOf({ fields }: HandoffRow): string {
  const { name, email, phone, message } = fields;
  return name ?? email ?? phone ?? message?.slice(0, 80) ?? "A visitor";
}
