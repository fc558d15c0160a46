import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The files in a folder, and below it, that contain a text in UTF-8 or UTF-16. */
export function filesHolding(folder: string, text: string): string[] {
  const needles = (["utf8", "utf16le"] as const).map((encoding) => Buffer.from(text, encoding));
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => {
      const bytes = readFileSync(file);
      return needles.some((needle) => bytes.includes(needle));
    });
}
