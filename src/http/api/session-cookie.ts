import { SESSION_LONGEST_MS } from "../../store/interface/operators.ts";

/** The session cookie. Over HTTPS its name has a prefix that other hosts' pages cannot set (RFC 6265bis §4.1.3). */
export interface SessionCookie {
  name: string;
  /** Header that sets it. */
  set(id: string): string;
  /** Header that deletes it. */
  clear(): string;
  /** The session id of a request. */
  read(request: Request): string | undefined;
}

/** @param operatorUrl public address of the listener; if it is HTTPS, the cookie is restricted to HTTPS. */
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

/** With several cookies of this name none is trusted, because one was set by somebody else. */
function valueIn(header: string, name: string): string | undefined {
  const values = header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}
