import { type ComponentChildren, h } from "preact";

import { linkAddresses } from "./addresses.tsx";
import type { CopyLabels } from "./copy.tsx";
import { Image, Link } from "./link.tsx";

/** Texts inside an answer. */
export interface MarkdownLabels extends CopyLabels {
  showImage: string;
  table: string;
  code: string;
}

/** Context of a run of text. */
interface Place {
  labels: MarkdownLabels;
  depth: number;
  /** Inside a link's text, where no other link is allowed. */
  linked?: boolean;
}

type Build = (match: RegExpExecArray, place: Place) => ComponentChildren;

const DEEPEST = 6;
const DESTINATION = String.raw`\(\s*<?([^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)>?(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)`;
/** Brackets may nest once, as in `[see [1]](…)`. */
const LABEL = String.raw`\[((?:[^[\]\\]|\\.|\[[^[\]]*\])*)\]`;

const spanOf =
  (Tag: "strong" | "em" | "del"): Build =>
  ([, text], place) => <Tag>{renderWithin(text!, place)}</Tag>;

const autolink: Build = ([, url], { linked }) => (linked ? url : <Link url={url!}>{url}</Link>);

const renderWithin = (text: string, place: Place) => renderAt(text, { ...place, depth: place.depth + 1 });

/** Inline rules, tried in order at each character that starts one. Spans are bounded, so that hostile text costs linear time. */
const RULES: readonly (readonly [starts: string, pattern: RegExp, build: Build])[] = [
  ["\\", /\\([!-/:-@[-`{-~])/y, ([, text]) => text],
  ["`", /(`+)(?!`)([^]{0,2000}?[^`])\1(?!`)/y, ([, , text]) => <code>{text!.trim()}</code>],
  [
    "!",
    new RegExp(`!${LABEL}${DESTINATION}`, "y"),
    ([, alt, url], { labels }) => <Image url={url!} alt={alt!} label={labels.showImage} />,
  ],
  [
    "[",
    new RegExp(LABEL + DESTINATION, "y"),
    ([, text, url], place) => <Link url={url!}>{renderWithin(text!, { ...place, linked: true })}</Link>,
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

/** Renders one run of text; malformed Markdown is shown as written. */
export function renderInline(text: string, labels: MarkdownLabels): ComponentChildren[] {
  return renderAt(text, { labels, depth: 0 });
}

function renderAt(text: string, place: Place): ComponentChildren[] {
  const nodes: ComponentChildren[] = [];
  let plain = "";
  const flush = () => {
    nodes.push(...(place.linked ? [plain] : linkAddresses(plain)));
    plain = "";
  };
  for (let at = 0; at < text.length;) {
    const found = place.depth < DEEPEST ? matchRule(text, at) : undefined;
    if (found === undefined) {
      SPECIAL.lastIndex = at + 1;
      const next = SPECIAL.exec(text)?.index ?? text.length;
      plain += text.slice(at, next);
      at = next;
    } else {
      const [match, build] = found;
      flush();
      nodes.push(build(match, place));
      at += match[0].length;
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
