/** PostgreSQL keeps no character 0 in a text: a visitor's is kept as the sign for one that cannot be shown. */
export function storableText(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\uFFFD") : text;
}

/** JSON whose texts PostgreSQL can take apart, which it cannot where they hold a character 0. */
export function storableJson(value: unknown): string {
  return storableJsonText(JSON.stringify(value));
}

/** The same for JSON that is a text already. */
export function storableJsonText(json: string): string {
  return json.includes(String.raw`\u0000`) ? json.replaceAll(NUL_IN_JSON, String.raw`$1\ufffd`) : json;
}

/** Behind an even number of backslashes: `\\u0000` is a backslash, and letters behind it. */
const NUL_IN_JSON = /(?<!\\)((?:\\\\)*)\\u0000/g;
