import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";

import type { Session } from "../conversation/session.ts";
import type { Shell } from "../shell.ts";
import type { Strings } from "../strings/en.ts";
import { fill } from "../strings/fill.ts";

/** What every part of the panel draws from. */
export interface PanelScope {
  shell: Shell;
  session: Session;
  strings: Strings;
}

export const Scope = createContext<PanelScope | undefined>(undefined);

export function useScope(): PanelScope {
  return useContext(Scope)!;
}

/** A string of the visitor's language with its gaps filled; `{bot}` is known. */
export function useWords(): (key: keyof Strings, values?: Readonly<Record<string, string>>) => string {
  const { strings, shell } = useScope();
  return (key, values) => fill(strings[key], { bot: shell.config.botName, ...values });
}

/** Renders the calling component again after every change of the conversation. */
export function useSession(): Session {
  const { session } = useScope();
  const [, setChanges] = useState(0);
  useEffect(() => session.subscribe(() => setChanges((changes) => changes + 1)), [session]);
  return session;
}
