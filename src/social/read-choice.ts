export function readChoice(
  _text: string,
  _labels: readonly string[],
  _context: { language: string },
): { kind: "some"; indexes: readonly number[] } | { kind: "none" } | undefined {
  return undefined;
}
