export type Inline =
  | { kind: "text"; text: string }
  | { kind: "break" }
  | { kind: "code"; text: string }
  | { kind: "strong" | "emphasis" | "deleted"; children: readonly Inline[] }
  | { kind: "link"; url: string; children: readonly Inline[] }
  | { kind: "image"; url: string; alt: string };

const DEEPEST = 6;
const DESTINATION = String.raw`\(\s*<?([^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)>?(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)`;
/** Brackets may nest once, as in `[see [1]](…)`. */
const LABEL = String.raw`\[((?:[^[\]\\]|\\.|\[[^[\]]*\])*)\]`;

type Build = (match: RegExpExecArray, depth: number) => Inline;

const spanOf =
  (kind: "strong" | "emphasis" | "deleted"): Build =>
  (match, depth) => ({ kind, children: parseInline(match[1]!, depth + 1) });

const autolink: Build = ([, url]) => ({ kind: "link", url: url!, children: [{ kind: "text", text: url! }] });

/** Tried in order wherever their first characters stand. Spans are bounded, so that hostile text costs linear time. */
const RULES: readonly (readonly [starts: string, pattern: RegExp, build: Build])[] = [
  ["\\", /\\([!-/:-@[-`{-~])/y, ([, text]) => ({ kind: "text", text: text! })],
  ["`", /(`+)(?!`)([^]{0,2000}?[^`])\1(?!`)/y, ([, , text]) => ({ kind: "code", text: text!.trim() })],
  [
    "!",
    new RegExp(`!${LABEL}${DESTINATION}`, "y"),
    ([, alt, url]) => ({ kind: "image", url: url!, alt: alt! }),
  ],
  [
    "[",
    new RegExp(LABEL + DESTINATION, "y"),
    ([, label, url], depth) => ({ kind: "link", url: url!, children: parseInline(label!, depth + 1) }),
  ],
  ["<", /<((?:https?|mailto|tel):[^\s<>]+)>/y, autolink],
  ["h", /\b(https?:\/\/[^\s<>"'`*|]*[^\s<>"'`*|.,;:!?)\]}])/y, autolink],
  ["*", /\*\*(?=\S)([^]{0,2000}?\S)\*\*(?!\*)/y, spanOf("strong")],
  ["_", /(?<!\w)__(?=\S)([^]{0,2000}?\S)__(?!\w)/y, spanOf("strong")],
  ["*", /\*(?=[^\s*])([^]{0,2000}?[^\s*])\*(?!\*)/y, spanOf("emphasis")],
  ["_", /(?<!\w)_(?=[^\s_])([^]{0,2000}?[^\s_])_(?!\w)/y, spanOf("emphasis")],
  ["~", /~~(?=\S)([^]{0,2000}?\S)~~/y, spanOf("deleted")],
  ["\n", /\n/y, () => ({ kind: "break" })],
];
const SPECIAL = /[\\`![<*_~\n]|h(?=ttps?:)/g;

/** Parses one run of text; what is not well-formed Markdown stays as it was written. */
export function parseInline(text: string, depth = 0): readonly Inline[] {
  const nodes: Inline[] = [];
  let plain = "";
  const flush = () => {
    if (plain !== "") nodes.push({ kind: "text", text: plain });
    plain = "";
  };
  for (let at = 0; at < text.length;) {
    const found = depth < DEEPEST ? matchRule(text, at) : undefined;
    if (found === undefined) {
      SPECIAL.lastIndex = at + 1;
      const next = SPECIAL.exec(text)?.index ?? text.length;
      plain += text.slice(at, next);
      at = next;
    } else {
      flush();
      nodes.push(found[1](found[0], depth));
      at += found[0][0].length;
    }
  }
  flush();
  return nodes;
}

function matchRule(text: string, at: number): [RegExpExecArray, Build] | undefined {
  for (const [starts, pattern, build] of RULES) {
    if (text[at] !== starts) continue;
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) return [match, build];
  }
  return undefined;
}
