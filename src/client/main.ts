import { openClient } from "./client.ts";
import { pause } from "./pause.ts";
import type { ClientOptions, ParleyClient } from "./public.d.ts";

export { ParleyError } from "./parley-error.ts";

/** A client of one bot; described in public.d.ts. */
export const createClient = (options: ClientOptions): ParleyClient =>
  openClient(options, { pause, random: Math.random });
