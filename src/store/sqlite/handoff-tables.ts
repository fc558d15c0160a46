import type { Database } from "better-sqlite3";

import type { FeedbackStore, HandoffStore, LiveOutcome, LiveTurn } from "../interface/handoffs.ts";
import type { Outbox } from "../interface/outbox.ts";
import type { ChangeRecorder } from "./changes/change-log.ts";
import { RatingStore } from "./feedback.ts";
import { HandoffEvents } from "./handoff-events.ts";
import { HandoffTable, type HandoffTableParts } from "./handoffs.ts";
import { OutboxTable } from "./outbox.ts";

interface TablesParts extends Pick<HandoffTableParts, "onAnswererChanged"> {
  db: Database;
  changes: ChangeRecorder;
  /** Does a work in a group commit. */
  write: <Result>(work: () => Result) => Promise<Result>;
  /** Reads, and notices where storage fails. */
  read: <Result>(read: () => Result) => Result;
  /** A part of the transaction that stores a message to a person. */
  recordLive: (record: LiveTurn, table: HandoffTable) => LiveOutcome;
}

/** What visitors say of answers, whom they ask for, and who is told of it, as callers know it, who do not know the engine. */
export function openHandoffTables(parts: TablesParts): {
  feedback: FeedbackStore;
  handoffs: HandoffStore;
  outbox: Outbox;
} {
  const { db, changes, onAnswererChanged } = parts;
  const outbox = new OutboxTable(db);
  const events = new HandoffEvents(db);
  const table = new HandoffTable({ db, outbox, events, changes, onAnswererChanged });
  return {
    feedback: feedbackOf(parts, new RatingStore(db, outbox)),
    handoffs: handoffsOf(parts, table, events),
    outbox: outboxOf(parts, outbox),
  };
}

function feedbackOf({ write, read }: TablesParts, ratings: RatingStore): FeedbackStore {
  return {
    save: (feedback, deliveries) => write(() => ratings.save(feedback, deliveries)),
    listOf: async (conversationId) => read(() => ratings.listOf(conversationId)),
  };
}

function handoffsOf(
  { write, read, recordLive }: TablesParts,
  table: HandoffTable,
  events: HandoffEvents,
): HandoffStore {
  return {
    open: (handoff) => write(() => table.open(handoff)),
    find: async (id) => read(() => table.find(id)),
    findOpen: async (conversationId) => read(() => table.findOpen(conversationId)),
    list: async (filter) => read(() => table.list(filter)),
    countWaiting: async () => read(() => table.countWaiting()),
    close: (id, at) => write(() => table.close(id, at)),
    take: (person, from) => write(() => table.take(person, from)),
    say: (person, text, keyHash) => write(() => table.say(person, text, keyHash)),
    release: (id, at) => write(() => table.release(id, at)),
    // To look costs no commit: most of the time nobody's time is over.
    releaseExpired: async (now) =>
      read(() => table.hasExpired(now)) ? write(() => table.releaseExpired(now)) : 0,
    recordLive: (record) => write(() => recordLive(record, table)),
    historyOf: async (id) => read(() => ({ handoffs: table.listOf(id), events: events.listAll(id) })),
    listEvents: async (watched, limit) => read(() => events.list(watched, limit)),
  };
}

function outboxOf({ write, read }: TablesParts, table: OutboxTable): Outbox {
  return {
    // To look costs no commit: most of the time nothing is due.
    claim: async (claim) => (read(() => table.isDue(claim)) ? write(() => table.claim(claim)) : []),
    listLetters: async (address, since) => read(() => table.listLetters(address, since)),
    settle: (id, outcome) => write(() => table.settle(id, outcome)),
    list: async (filter) => read(() => table.list(filter)),
    resend: (id, now) => write(() => table.resend(id, now)),
    deleteEnded: async (before, limit) =>
      read(() => table.hasEnded(before)) ? write(() => table.deleteEnded(before, limit)) : 0,
    startTelling: (starts, at) => write(() => table.startTelling(starts, at)),
    listFailedNotices: async () => read(() => table.listFailedNotices()),
    countWaitingTurns: async () => read(() => table.countWaitingTurns()),
  };
}
