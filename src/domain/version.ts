import { version } from "../../package.json" with { type: "json" };
import origin from "./origin.json" with { type: "json" };

/** Origin of a program. The build replaces `origin.json` by the executable's own. */
export type Origin =
  | { kind: "source" }
  | { kind: "outside-git" }
  | {
      kind: "commit";
      /** The beginning of the commit's hash. */
      commit: string;
      /** Day of the commit in UTC, `2026-11-22`. */
      date: string;
      /** Files differ from the commit's. */
      isChanged: boolean;
    };

/** Of this executable, as in `package.json`. */
export const VERSION: string = version;

export const ORIGIN = origin as Origin;

/** The output of `parley --version`: `0.1.0 (abc1234567, 2026-11-22)`. */
export function describeVersion(of: Origin = ORIGIN): string {
  const words = originWords(of);
  return words === undefined ? VERSION : `${VERSION} (${words})`;
}

function originWords(of: Origin): string | undefined {
  if (of.kind === "source") return undefined;
  if (of.kind === "outside-git") return "built outside git, commit unknown";
  return `${of.commit}${of.isChanged ? " with uncommitted changes" : ""}, ${of.date}`;
}
