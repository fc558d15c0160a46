/**
 * Entry of the thread that judges long messages: `JudgeRequest` in, `JudgeResponse` out. An entry point of its own in the compiled executable;
 * `JudgingThread` knows its address.
 */
import { judgeMessage } from "../governance/judge-message.ts";
import { compileGovernancePolicy, type GovernancePolicy } from "../governance/policy.ts";
import { type IntentClassifier, openIntentModel } from "../intent/classifier.ts";
import type { JudgeResponse, JudgeRequest } from "./judging-thread.ts";

declare const self: {
  addEventListener(type: "message", listen: (event: MessageEvent<JudgeRequest>) => void): void;
  postMessage(news: JudgeResponse, transfer: ArrayBufferLike[]): void;
};

const bots = new Map<number, { classifier: IntentClassifier; policy: GovernancePolicy }>();

self.addEventListener("message", ({ data: { number, text, bot, definition, isFirst } }) => {
  if (isFirst) bots.clear();
  if (definition) {
    const classifier = openIntentModel(definition.model);
    bots.set(bot, { classifier, policy: compileGovernancePolicy(definition.document, classifier) });
  }
  const { classifier, policy } = bots.get(bot)!;
  const judged = judgeMessage(text, classifier, policy);
  const { request } = judged;
  const weighed = request === undefined ? {} : { weighed: classifier.judge(request) };
  self.postMessage({ number, judged: { ...judged, ...weighed } }, []);
});
