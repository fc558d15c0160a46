import type { SocialContext } from "./read-courtesies.ts";
export function withoutCourtesies(text: string, _context: SocialContext): string {
  return text;
}
