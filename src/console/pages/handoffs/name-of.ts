import type { HandoffRow } from "../../../domain/operator/handoffs.ts";

/** What a visitor is called in the list: as they say, or by what they write. */
export function nameOf({ fields }: HandoffRow): string {
  const { name, email, phone, message } = fields;
  return name ?? email ?? phone ?? message?.slice(0, 80) ?? "A visitor";
}
