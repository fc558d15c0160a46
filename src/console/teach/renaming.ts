import type { Standing } from "../../domain/intent-pattern.ts";
import { setPattern } from "../yaml/bot-edits.ts";
import { renameIntent } from "../yaml/rename-intent.ts";
import { standingIn } from "./teaching.ts";

/** An intent that gets another name, and how the profile stands to it before and after. */
export interface Renaming {
  from: string;
  to: string;
  /** The bot's text with the new name, wherever the old one stood. */
  text: string;
  was: ReturnType<typeof standingIn>;
  becomes: ReturnType<typeof standingIn>;
}

/** What comes of another name; undefined where the text cannot be edited for it. */
export function renamingOf(before: string, from: string, to: string): Renaming | undefined {
  const text = renameIntent(before, from, to);
  return text === undefined
    ? undefined
    : { from, to, text, was: standingIn(before, from), becomes: standingIn(text, to) };
}

/** The list on which the new name keeps its standing; none does where it becomes denied, as deny wins. */
const KEPT_BY: Readonly<Record<Standing, "allow" | "deny">> = {
  allowed: "allow",
  denied: "deny",
  unlisted: "deny",
};

/** The text in which a renamed intent also keeps its standing; undefined where it does anyhow, or where no list can. */
export function keptStanding({ text, to, was, becomes }: Renaming): string | undefined {
  if (was.standing === becomes.standing || becomes.standing === "denied") return undefined;
  return setPattern(text, KEPT_BY[was.standing], to, true);
}
