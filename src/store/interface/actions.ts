import { LONGEST_CALL_MS } from "../../domain/action.ts";
import type { ConversationId } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";

/** An action that a visitor is asked to confirm. */
export interface AskedAction {
  /** Names it, here and to its endpoint. */
  id: string;
  /** Keyed: of what would be done, and of how it was asked. */
  hash: Uint8Array;
  at: EpochMs;
}

/** `claimed`: by this call, and by no other ever. `begun`: by another before, whatever came of it. `void`: it is another action, too old, or none. */
export type ClaimOutcome = "claimed" | "begun" | "void";

export const ENDED_ACTIONS = ["done", "failed", "unsure"] as const;

/** A proof that is about to be compared. */
export interface ProofTry {
  /** The action's id. */
  id: string;
  conversation: ConversationId;
  caller: Uint8Array;
  at: EpochMs;
}

/** `busy`: as many as may fail are being tried or have failed, and some of them may prove right yet. `too-many`: as many have failed. */
export type ProofOutcome = "reserved" | "busy" | "too-many";

/** For how long a proof is taken as being tried: a call waits for its turn as long as it may take, and the store takes its time. An older one was left by a kill. */
export const LONGEST_TRY_MS = 4 * LONGEST_CALL_MS;

/** Failed proofs of an hour. */
export const PROOF_WINDOW_MS = 60 * 60 * 1000;
export const MOST_FAILED_PROOFS = { conversation: 5, caller: 20 } as const;

/** How long it is known what became of an action. */
export const ACTIONS_KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** What servers agree on about actions: each is done once, and proofs are tried so often. */
export interface Actions {
  ask(action: AskedAction): Promise<void>;
  /** By one conditional update. @param notBefore it was asked then, or later. */
  claim(action: AskedAction, notBefore: EpochMs): Promise<ClaimOutcome>;
  end(id: string, state: (typeof ENDED_ACTIONS)[number]): Promise<void>;
  /** Nothing was called: the next yes may claim it. */
  unclaim(id: string): Promise<void>;
  /** Counts a try until it has failed, is released or must be over; the same try again counts once. Nothing is counted where it is not reserved. */
  reserveProof(proof: ProofTry): Promise<ProofOutcome>;
  failProof(id: string): Promise<void>;
  /** The proof was right, or nothing compared it. */
  releaseProof(id: string): Promise<void>;
}
