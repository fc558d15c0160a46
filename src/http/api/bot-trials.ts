import { Type } from "@sinclair/typebox";

import { ServiceError } from "../../domain/errors.ts";
import { BotReviewResult, BotValidation, PublishPreview, TestOutcome } from "../../domain/operator/bots.ts";
import { ReceiptView, TryRequest, TryResult } from "../../domain/operator/conversations.ts";
import type { OfDraft } from "../../operate/workshop.ts";
import { BotParams, type BotRoutesParts, faultyBot, findBotToTry, MAX_YAML_BODY, Yaml } from "./bot-parts.ts";
import { type ApiRoute, route } from "./frame.ts";

/** A draft; absent: the published version. Operators who may not change bots can only use the saved draft. */
const MaybeDraft = Type.Object({ yaml: Type.Optional(Yaml) });

/** Routes that test a bot or draft; nothing is stored or counted. */
export function botTrialRoutes(parts: BotRoutesParts): ApiRoute[] {
  return [
    route({
      method: "POST",
      path: "/bots/:bot/validate",
      permission: "read",
      summary: "Mistakes of a draft, with their places",
      maxBodyBytes: MAX_YAML_BODY,
      params: BotParams,
      body: Type.Object({ yaml: Type.String() }),
      response: BotValidation,
      async answer(call) {
        const bot = await findBotToTry(parts, call);
        const { testPlaces: _, ...checked } = await parts.workshop.check(bot, call.body.yaml, call.signal);
        return checked;
      },
    }),
    route({
      method: "POST",
      path: "/bots/:bot/preview",
      permission: "read",
      summary: "Effects of publishing a draft: its tests, and the latest real messages",
      produces: "progress",
      maxBodyBytes: MAX_YAML_BODY,
      params: BotParams,
      body: Type.Object({
        yaml: Yaml,
        crossValidation: Type.Optional(
          Type.Boolean({
            description: "Whether to cross-validate, which takes seconds the first time (default true)",
          }),
        ),
      }),
      response: PublishPreview,
      async answer(call) {
        const { yaml, crossValidation = true } = call.body;
        const bot = await findBotToTry(parts, call);
        const draft = { yaml, isCrossValidated: crossValidation };
        return call.progress((report, signal, sendPart) =>
          parts.workshop.preview(bot, { ...draft, onCompared: sendPart }, { report, signal }),
        );
      },
    }),
    route({
      method: "POST",
      path: "/bots/:bot/tests",
      permission: "read",
      summary: "Results of the tests of a bot, or of a draft",
      produces: "progress",
      maxBodyBytes: MAX_YAML_BODY,
      params: BotParams,
      body: MaybeDraft,
      response: Type.Object({ tests: Type.Array(TestOutcome) }),
      async answer(call) {
        const { yaml } = call.body;
        const bot = await findBotToTry(parts, call);
        const draft = resultOf(await parts.workshop.documentOf(bot, yaml, call.signal));
        return call.progress(async (report, signal) => ({
          tests: await parts.workshop.test(bot, draft, { report, signal }),
        }));
      },
    }),
    route({
      method: "POST",
      path: "/bots/:bot/review",
      permission: "read",
      summary: "How well a bot, or a draft, understands new messages, by cross-validation",
      produces: "progress",
      maxBodyBytes: MAX_YAML_BODY,
      params: BotParams,
      body: MaybeDraft,
      response: BotReviewResult,
      async answer(call) {
        const { yaml } = call.body;
        const bot = await findBotToTry(parts, call);
        const draft = resultOf(await parts.workshop.documentOf(bot, yaml, call.signal));
        return call.progress((report, signal) => parts.workshop.review(bot, draft, { report, signal }));
      },
    }),
    route({
      method: "POST",
      path: "/bots/:bot/try",
      permission: "read",
      summary:
        "Say something to a bot, or to a draft; it is neither stored nor counted; without models.check, no model is asked, and without callEndpoints, no endpoint called",
      maxBodyBytes: MAX_YAML_BODY,
      params: BotParams,
      body: TryRequest,
      response: TryResult,
      async answer(call) {
        const { yaml, callEndpoints = false, ...said } = call.body;
        const { permissions } = call.caller;
        if (callEndpoints && !permissions.has("bots.write"))
          throw new ServiceError(
            "FORBIDDEN",
            "Calling endpoints requires the permission `bots.write`; an owner can grant it.",
          );
        const bot = await findBotToTry(parts, call);
        const mayAskModels = permissions.has("models.check");
        const trial = { ...said, mayAskModels, calls: callEndpoints ? "made" : "dry" } as const;
        return resultOf(await parts.workshop.try(bot, yaml, trial, call.signal));
      },
    }),
    route({
      method: "GET",
      path: "/turns/:requestId/explanation",
      permission: "read",
      summary: "The reasons for the decision of a stored turn",
      params: Type.Object({ requestId: Type.String({ maxLength: 100 }) }),
      response: ReceiptView,
      async answer({ params: { requestId }, signal }) {
        const view = await parts.workshop.explain(requestId, signal);
        if (!view) throw new ServiceError("NOT_FOUND", "There is no turn of this request id.");
        return view;
      },
    }),
  ];
}

/** @throws ServiceError INVALID_REQUEST if the draft has mistakes. */
function resultOf<Result>(made: OfDraft<Result>): Result {
  if (made.kind === "faulty") throw faultyBot(made.mistakes);
  return made.result;
}
