import { type Static, Type } from "@sinclair/typebox";

import { listOf, oneOf } from "../schemas.ts";

/** Messages that say much the same and were not answered. */
export const ImproveGroup = Type.Object(
  {
    /** Made from bot, kind and its most typical message; stays while that stays. */
    id: Type.String(),
    bot: Type.String(),
    kind: oneOf(["unmatched", "asked", "refused"]),
    turns: Type.Integer(),
    /** Messages of different wording. */
    distinct: Type.Integer(),
    firstAt: Type.Integer(),
    latestAt: Type.Integer(),
    /** The intent that came closest to most of them, or that they were refused as. */
    intent: Type.Union([Type.String(), Type.Null()]),
    /** Why they were refused; null for what nothing matched. */
    reason: Type.Union([Type.String(), Type.Null()]),
    /** Up to three allowed intents that a new example would fit best, best first. */
    nearest: listOf(Type.Object({ intent: Type.String(), confidence: Type.Number() })),
    /** Most typical first, at most 50. */
    messages: listOf(
      Type.Object({
        text: Type.String(),
        times: Type.Integer(),
        latestAt: Type.Integer(),
        /** Of the latest of them. */
        requestId: Type.String(),
        conversationId: Type.String(),
      }),
    ),
  },
  { $id: "ImproveGroup" },
);
export type ImproveGroup = Static<typeof ImproveGroup>;

/** GET /api/v1/improve?bot=&outcome=&since= */
export const ImprovePage = Type.Object(
  {
    groups: listOf(ImproveGroup),
    /** Turns that were looked at: the latest up to a bound; and how many there are. */
    looked: Type.Integer(),
    turns: Type.Integer(),
    /** Turns whose text is not stored. */
    notKept: Type.Integer(),
    /** Messages that operators have set aside. */
    setAside: Type.Integer(),
  },
  { $id: "ImprovePage" },
);
export type ImprovePage = Static<typeof ImprovePage>;

/** POST /api/v1/improve/set-aside: these messages are no longer shown. DELETE with the same body takes it back. */
export const SetAside = Type.Object(
  {
    bot: Type.String(),
    /** `ignore`: of no account; `out-of-scope`: rightly not answered; `taught`: an intent has them as examples now. */
    as: oneOf(["ignore", "out-of-scope", "taught"]),
    texts: Type.Array(Type.String(), { minItems: 1, maxItems: 500 }),
  },
  { $id: "SetAside" },
);
export type SetAside = Static<typeof SetAside>;
