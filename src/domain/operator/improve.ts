import { type Static, Type } from "@sinclair/typebox";

import { listOf, named, oneOf } from "../schemas.ts";

/**
 * `unmatched`, `asked`, `refused`: messages that were not answered. `unhelpful`: messages whose answers visitors rated down. `wrong`:
 * messages that were answered or refused, and likely should not have been.
 */
export const IMPROVE_KINDS = ["unhelpful", "wrong", "unmatched", "asked", "refused"] as const;
const ImproveKind = oneOf(IMPROVE_KINDS);

/** Similar messages that were not answered, or whose answers, all by one intent, did not help or are likely wrong. */
export const ImproveGroup = named("ImproveGroup", {
  /** Made from bot, kind and its most typical message; stays while that stays. */
  id: Type.String(),
  bot: Type.String(),
  kind: ImproveKind,
  turns: Type.Integer(),
  /** Messages of different wording. */
  distinct: Type.Integer(),
  firstAt: Type.Integer(),
  latestAt: Type.Integer(),
  /** The intent that came closest to most of them, that they were refused as, or that answered them. */
  intent: Type.Union([Type.String(), Type.Null()]),
  /** Why they were refused; null for all others. */
  reason: Type.Union([Type.String(), Type.Null()]),
  /** Up to three allowed intents that a new example would fit best, best first. */
  nearest: listOf(Type.Object({ intent: Type.String(), confidence: Type.Number() })),
  /** Most typical first, at most 50. */
  messages: listOf(
    Type.Object({
      /** In the form of an example: a message that depends on the previous one includes it. */
      text: Type.String(),
      /** The previous message, if this one depends on it. */
      after: Type.Optional(Type.String()),
      times: Type.Integer(),
      latestAt: Type.Integer(),
      /** Of the latest of them. */
      requestId: Type.String(),
      conversationId: Type.String(),
      /**
       * If it did not help, or is likely wrong: the latest answer, and why, in visitors' words or in those of the audit, each once, the
       * latest first, at most five.
       */
      answer: Type.Optional(Type.String()),
      reasons: Type.Optional(listOf(Type.String())),
    }),
  ),
});
export type ImproveGroup = Static<typeof ImproveGroup>;

/** GET /api/v1/improve?bot=&outcome=&since= */
export const ImprovePage = named("ImprovePage", {
  groups: listOf(ImproveGroup),
  /** Turns that were looked at: the latest up to a bound; and how many there are. */
  looked: Type.Integer(),
  turns: Type.Integer(),
  /** Turns whose text is not stored. */
  notKept: Type.Integer(),
  /** Messages that operators have set aside. */
  setAside: Type.Integer(),
});
export type ImprovePage = Static<typeof ImprovePage>;

/** POST /api/v1/improve/set-aside: these messages are no longer shown. DELETE with the same body undoes this. */
export const SetAside = named("SetAside", {
  bot: Type.String(),
  /** `ignore`: not relevant; `out-of-scope`: rightly not answered; `taught`: an intent has them as examples now. */
  as: oneOf(["ignore", "out-of-scope", "taught"]),
  texts: Type.Array(Type.String(), { minItems: 1, maxItems: 500 }),
});
export type SetAside = Static<typeof SetAside>;
