/** The names in an `Accept…` header that the client does not refuse by `q=0` (RFC 9110 §12.4.2), lower-case, without their parameters. */
export function acceptedNames(header: string | null): ReadonlySet<string> {
  const items = (header ?? "").toLowerCase().split(",");
  const parsed = items.map((item) => item.split(";").map((part) => part.trim()));
  const wanted = parsed.filter(
    ([, ...parameters]) => !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)),
  );
  return new Set(wanted.map(([name = ""]) => name));
}
