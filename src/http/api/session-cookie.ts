import { SESSION_LONGEST_MS } from "../../store/interface/operators.ts";

/** The cookie that holds the id of a session. Another prefix over https keeps pages of other hosts from setting it (RFC 6265bis §4.1.3). */
export interface SessionCookie {
  name: string;
  /** The header that sets it. */
  set(id: string): string;
  /** The header that takes it away. */
  clear(): string;
  /** What a request brings along. */
  read(request: Request): string | undefined;
}

/** @param operatorUrl where operators reach the listener; the cookie is for https alone where that is https. */
export function sessionCookie(operatorUrl: string | undefined): SessionCookie {
  const isSecure = operatorUrl?.startsWith("https:") ?? false;
  const name = isSecure ? "__Host-parley_session" : "parley_session";
  const attributes = `; Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  return {
    name,
    set: (id) => `${name}=${id}; Max-Age=${SESSION_LONGEST_MS / 1000}${attributes}`,
    clear: () => `${name}=; Max-Age=0${attributes}`,
    read: ({ headers }) => valueIn(headers.get("cookie") ?? "", name),
  };
}

/** Of several with one name, none is trusted: one of them was set by somebody else. */
function valueIn(header: string, name: string): string | undefined {
  const values = header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}
