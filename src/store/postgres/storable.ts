/** PostgreSQL cannot store the NUL character in text: it is replaced by U+FFFD. */
export function storableText(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\uFFFD") : text;
}

/** JSON that PostgreSQL can parse: a character 0 in its texts is replaced. */
export function storableJson(value: unknown): string {
  return storableJsonText(JSON.stringify(value));
}

/** The same for JSON that is already serialised. */
export function storableJsonText(json: string): string {
  return json.includes(String.raw`\u0000`) ? json.replaceAll(NUL_IN_JSON, String.raw`$1\ufffd`) : json;
}

/** Preceded by an even number of backslashes: `\\u0000` is a backslash and letters. */
const NUL_IN_JSON = /(?<!\\)((?:\\\\)*)\\u0000/g;
