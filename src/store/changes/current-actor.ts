import { AsyncLocalStorage } from "node:async_hooks";

import type { Actor } from "../../domain/change.ts";

const acting = new AsyncLocalStorage<Actor>();

/** Does work for which somebody answers, in place of whom the store was opened for: changes that are recorded meanwhile name them. */
export function runAs<Result>(actor: Actor, work: () => Result): Result {
  return acting.run(actor, work);
}

/** Who answers for a change that is recorded now. @param otherwise where nobody was named by {@link runAs}. */
export function currentActorOr(otherwise: Actor): Actor {
  return acting.getStore() ?? otherwise;
}
