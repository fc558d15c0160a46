/** The parts of a path by their names in the route; undefined if the route does not match. */
export function matchPath(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split("/").filter(Boolean);
  const given = path.split("/").filter(Boolean);
  if (given.length > wanted.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = given[at];
    if (!part.startsWith(":")) {
      if (part !== value) return undefined;
    } else if (value !== undefined) params[part.slice(1).replace("?", "")] = decode(value);
    else if (!part.endsWith("?")) return undefined;
  }
  return params;
}

/** A percent sign that starts no escape sequence stays as it is. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}
