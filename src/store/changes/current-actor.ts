import { AsyncLocalStorage } from "node:async_hooks";

import type { Actor } from "../../domain/change.ts";

const acting = new AsyncLocalStorage<Actor>();

/** Runs work in the name of an actor: changes that the work records name this actor instead of the store's. */
export function runAs<Result>(actor: Actor, work: () => Result): Result {
  return acting.run(actor, work);
}

/** The actor of a change that is recorded now. @param otherwise the actor outside of {@link runAs}. */
export function currentActorOr(otherwise: Actor): Actor {
  return acting.getStore() ?? otherwise;
}
