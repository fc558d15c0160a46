import { jsonrepair } from "jsonrepair";

const PAIRS: Readonly<Record<string, string>> = { "{": "}", "[": "]" };

/** Values looked at in one text. */
const MAX_CANDIDATES = 20;

/**
 * The first complete JSON object or array in a text, whatever surrounds it. If there is none, usual mistakes of models are
 * repaired first: trailing commas, single quotes, comments, Python's literals. A truncated value is never completed.
 */
export function healJson(text: string): string | undefined {
  const candidates = balancedValues(text);
  return candidates.find(isJson) ?? candidates.map(repair).find((repaired) => repaired !== undefined);
}

function repair(candidate: string): string | undefined {
  try {
    return jsonrepair(candidate);
  } catch {
    // jsonrepair throws on a text that it cannot make JSON of.
    return undefined;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function balancedValues(text: string): string[] {
  const values: string[] = [];
  let rest = text;
  while (values.length < MAX_CANDIDATES) {
    const start = rest.search(/[{[]/);
    const length = start < 0 ? 0 : balancedLength(rest.slice(start));
    if (length === 0) break;
    values.push(rest.slice(start, start + length));
    rest = rest.slice(start + length);
  }
  return values;
}

/** Characters up to the end of the value that the text begins with; 0 when it has none. Brackets within texts do not count. */
function balancedLength(text: string): number {
  const expected: string[] = [];
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    const closing = PAIRS[token];
    if (closing !== undefined) expected.push(closing);
    else if (token === expected.at(-1)) expected.pop();
    else if (token === "}" || token === "]") return 0;
    if (expected.length === 0) return index + token.length;
  }
  return 0;
}
