import { type ComponentChildren, h } from "preact";

import { Link } from "./link.tsx";

/** `name@example.com`. The parts are bounded, so that hostile text costs linear time. */
const E_MAIL = String.raw`(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}\p{L}{2,24}(?![\w-])`;

/**
 * Formats that are phone numbers and nothing else: with a `+`; with an area code in parentheses; as written in North America; with a
 * leading 0 and an area code of three digits or more; in pairs, as written in France. Dates and prices match none of them.
 */
const PHONE = [
  String.raw`\+\d[\d ()./-]{5,18}\d`,
  String.raw`\(0?\d{2,5}\) ?\d[\d -]{3,12}\d`,
  String.raw`(?:1[-. ])?\d{3}[-. ]\d{3}[-. ]\d{4}`,
  String.raw`0\d{2,5}[ /-]\d[\d -]{3,12}\d`,
  String.raw`0\d(?: \d\d){4}`,
].join("|");

const ADDRESS = new RegExp(
  String.raw`(${E_MAIL})|(?<![\p{L}\d.,/+-]|\d )(?:${PHONE})(?![\p{L}\d]|[.,/-]\d)`,
  "gu",
);

/** A text with its e-mail addresses and phone numbers as links. */
export function linkAddresses(text: string): ComponentChildren[] {
  const nodes: ComponentChildren[] = [];
  let from = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const [address, eMail] = match;
    const url = eMail ? `mailto:${eMail}` : `tel:${address.replace(/(?!^\+)\D/g, "")}`;
    nodes.push(text.slice(from, match.index), <Link url={url}>{address}</Link>);
    from = match.index + address.length;
  }
  nodes.push(text.slice(from));
  return nodes.filter((node) => node !== "");
}
