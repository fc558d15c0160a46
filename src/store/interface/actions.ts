import { MAX_CALL_MS } from "../../domain/action.ts";
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

/**
 * `claimed`: by this call; no other call ever gets it. `begun`: another call had it before, whatever its result. `void`: unknown, of
 * another hash, or too old.
 */
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

/** `busy`: as many as may fail are being tried or have failed, and some of them may prove right yet. `too-many`: as many have failed. */
export type ProofOutcome = "reserved" | "busy" | "too-many";

/**
 * For how long a proof is taken as being tried: a call waits for its turn as long as it may take, and the store takes its time. An older
 * one was left by a kill.
 */
export const MAX_TRY_MS = 4 * MAX_CALL_MS;

/** Failed proofs of an hour. */
export const PROOF_WINDOW_MS = 60 * 60 * 1000;
export const MAX_FAILED_PROOFS = { conversation: 5, caller: 20 } as const;

/** How long the result of an action is kept. */
export const ACTIONS_KEPT_MS = 7 * 24 * 60 * 60 * 1000;
