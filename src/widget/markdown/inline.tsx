import { type ComponentChildren, h } from "preact";

import { Image, Link } from "./link.tsx";

/** Wording inside an answer. */
export interface MarkdownLabels {
  showImage: string;
  table: string;
  code: string;
}

type Build = (match: RegExpExecArray, labels: MarkdownLabels, depth: number) => ComponentChildren;

const DEEPEST = 6;
const DESTINATION = String.raw`\(\s*<?([^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)>?(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)`;
/** Brackets may nest once, as in `[see [1]](…)`. */
const LABEL = String.raw`\[((?:[^[\]\\]|\\.|\[[^[\]]*\])*)\]`;

const spanOf =
  (Tag: "strong" | "em" | "del"): Build =>
  ([, text], labels, depth) => <Tag>{renderInline(text!, labels, depth + 1)}</Tag>;

const autolink: Build = ([, url]) => <Link url={url!}>{url}</Link>;

/** Tried in order wherever their first characters stand. Spans are bounded, so that hostile text costs linear time. */
const RULES: readonly (readonly [starts: string, pattern: RegExp, build: Build])[] = [
  ["\\", /\\([!-/:-@[-`{-~])/y, ([, text]) => text],
  ["`", /(`+)(?!`)([^]{0,2000}?[^`])\1(?!`)/y, ([, , text]) => <code>{text!.trim()}</code>],
  [
    "!",
    new RegExp(`!${LABEL}${DESTINATION}`, "y"),
    ([, alt, url], labels) => <Image url={url!} alt={alt!} label={labels.showImage} />,
  ],
  [
    "[",
    new RegExp(LABEL + DESTINATION, "y"),
    ([, text, url], labels, depth) => <Link url={url!}>{renderInline(text!, labels, depth + 1)}</Link>,
  ],
  ["<", /<((?:https?|mailto|tel):[^\s<>]+)>/y, autolink],
  ["h", /\b(https?:\/\/[^\s<>"'`*|]*[^\s<>"'`*|.,;:!?)\]}])/y, autolink],
  ["*", /\*\*(?=\S)([^]{0,2000}?\S)\*\*(?!\*)/y, spanOf("strong")],
  ["_", /(?<!\w)__(?=\S)([^]{0,2000}?\S)__(?!\w)/y, spanOf("strong")],
  ["*", /\*(?=[^\s*])([^]{0,2000}?[^\s*])\*(?!\*)/y, spanOf("em")],
  ["_", /(?<!\w)_(?=[^\s_])([^]{0,2000}?[^\s_])_(?!\w)/y, spanOf("em")],
  ["~", /~~(?=\S)([^]{0,2000}?\S)~~/y, spanOf("del")],
  ["\n", /\n/y, () => <br />],
];
const SPECIAL = /[\\`![<*_~\n]|h(?=ttps?:)/g;

/** One run of text as elements; what is not well-formed Markdown stays as it was written. */
export function renderInline(text: string, labels: MarkdownLabels, depth = 0): ComponentChildren[] {
  const nodes: ComponentChildren[] = [];
  for (let at = 0; at < text.length;) {
    const found = depth < DEEPEST ? matchRule(text, at) : undefined;
    if (found === undefined) {
      SPECIAL.lastIndex = at + 1;
      const next = SPECIAL.exec(text)?.index ?? text.length;
      nodes.push(text.slice(at, next));
      at = next;
    } else {
      const [match, build] = found;
      nodes.push(build(match, labels, depth));
      at += match[0].length;
    }
  }
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
