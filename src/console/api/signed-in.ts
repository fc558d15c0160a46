import { signal } from "@preact/signals";

import type { Session } from "../../domain/operator/access.ts";

/** Who is signed in; null: nobody; undefined: not known yet. */
export const session = signal<Session | null | undefined>(undefined);
