import type { Standing } from "../../domain/intent-pattern.ts";
import { setPattern } from "../yaml/bot-edits.ts";
import { renameIntent } from "../yaml/rename-intent.ts";
import { standingIn } from "./teaching.ts";

/** The renaming of an intent, with its status in the profile before and after. */
export interface Renaming {
  from: string;
  to: string;
  /** The bot's text with the new name everywhere. */
  text: string;
  was: ReturnType<typeof standingIn>;
  becomes: ReturnType<typeof standingIn>;
}

/** Renames an intent; undefined if the text cannot be edited for it. */
export function renamingOf(before: string, from: string, to: string): Renaming | undefined {
  const text = renameIntent(before, from, to);
  return text === undefined
    ? undefined
    : { from, to, text, was: standingIn(before, from), becomes: standingIn(text, to) };
}

/** The list that restores the former status of a renamed intent. */
const KEPT_BY: Readonly<Record<Standing, "allow" | "deny">> = {
  allowed: "allow",
  denied: "deny",
  unlisted: "deny",
};

/**
 * The text with the new name and the former status; undefined if the status is the same anyway, or no list can restore it because deny
 * wins.
 */
export function keptStanding({ text, to, was, becomes }: Renaming): string | undefined {
  if (was.standing === becomes.standing || becomes.standing === "denied") return undefined;
  return setPattern(text, KEPT_BY[was.standing], to, true);
}
