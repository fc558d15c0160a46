import type { ConversationId } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";

/** An action that awaits the visitor's confirmation. */
export interface AskedAction {
  /** Id of the action, also sent to its endpoint. */
  id: string;
  /** Keyed hash of the action's request and of the question that was asked. */
  hash: Uint8Array;
  at: EpochMs;
}

/** `claimed`: by this call; no other call ever gets it. `begun`: another call had it before, whatever its result. `void`: unknown, of another hash, or too old. */
export type ClaimOutcome = "claimed" | "begun" | "void";

export const ENDED_ACTIONS = ["done", "failed", "unsure"] as const;

/** An attempt to prove identity, before the proof is compared. */
export interface ProofTry {
  /** The action's id. */
  id: string;
  conversation: ConversationId;
  caller: Uint8Array;
  at: EpochMs;
}

/** Time window in which failed proofs are counted. */
export const PROOF_WINDOW_MS = 60 * 60 * 1000;
export const MOST_FAILED_PROOFS = { conversation: 5, caller: 20 } as const;

/** How long the result of an action is kept. */
export const ACTIONS_KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** State of actions that servers share: each action is done once, and failed proofs are limited. */
export interface Actions {
  ask(action: AskedAction): Promise<void>;
  /** Claims an action by one conditional UPDATE. @param notBefore least instant at which it was asked. */
  claim(action: AskedAction, notBefore: EpochMs): Promise<ClaimOutcome>;
  end(id: string, state: (typeof ENDED_ACTIONS)[number]): Promise<void>;
  /** Counts an attempt as failed until it is released; the same attempt counts once. @returns false if too many have failed already; then nothing is counted. */
  reserveProof(proof: ProofTry): Promise<boolean>;
  /** Uncounts an attempt: the proof was right, or was never compared. */
  releaseProof(id: string): Promise<void>;
}
