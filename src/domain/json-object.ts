/** Whether a value parsed from JSON or YAML is a mapping of fields: not null, and not a list. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
