import { signal } from "@preact/signals";

import type { Session } from "../../domain/operator/access.ts";

/** The session; null: nobody is signed in; undefined: not known yet. */
export const session = signal<Session | null | undefined>(undefined);
