import type { Database } from "better-sqlite3";

import type { Ratings, Handoffs, LiveOutcome, LiveTurn } from "../interface/handoffs.ts";
import type { Outbox } from "../interface/outbox.ts";
import type { ChangeRecorder } from "./change-recorder.ts";
import { SqliteRatings } from "./feedback.ts";
import { HandoffEvents } from "./handoff-events.ts";
import { SqliteHandoffs, type SqliteHandoffsParts } from "./handoffs.ts";
import { SqliteOutbox } from "./outbox.ts";

interface TablesParts extends Pick<SqliteHandoffsParts, "onAnswererChanged"> {
  db: Database;
  changes: ChangeRecorder;
  /** Does a work in a group commit. */
  write: <Result>(work: () => Result) => Promise<Result>;
  /** Reads, and notices where storage fails. */
  read: <Result>(read: () => Result) => Result;
  /** A part of the transaction that stores a message to a person. */
  recordLive: (record: LiveTurn, table: SqliteHandoffs) => LiveOutcome;
}

/** What visitors say of answers, whom they ask for, and who is told of it, as callers know it, who do not know the engine. */
export function openHandoffTables(parts: TablesParts): {
  feedback: Ratings;
  handoffs: Handoffs;
  outbox: Outbox;
} {
  const { db, changes, onAnswererChanged } = parts;
  const outbox = new SqliteOutbox(db);
  const events = new HandoffEvents(db);
  const table = new SqliteHandoffs({ db, outbox, events, changes, onAnswererChanged });
  return {
    feedback: feedbackOf(parts, new SqliteRatings(db, outbox)),
    handoffs: handoffsOf(parts, table, events),
    outbox: outboxOf(parts, outbox),
  };
}

function feedbackOf({ write, read }: TablesParts, ratings: SqliteRatings): Ratings {
  return {
    save: (feedback, deliveries) => write(() => ratings.save(feedback, deliveries)),
    listOf: async (conversationId) => read(() => ratings.listOf(conversationId)),
  };
}

function handoffsOf(
  { write, read, recordLive }: TablesParts,
  table: SqliteHandoffs,
  events: HandoffEvents,
): Handoffs {
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

function outboxOf({ write, read }: TablesParts, table: SqliteOutbox): Outbox {
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
