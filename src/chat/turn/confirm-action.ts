import { createHmac } from "node:crypto";

import { type ActionRequest, buildRequest } from "../../action/build-request.ts";
import { actionsOf, type CompiledAction } from "../../action/compile-action.ts";
import { type Step, WRONG_UNTIL_PERSON } from "../../action/dialogue.ts";
import { wordSlots } from "../../action/word-answer.ts";
import type { ActionMemory } from "../../domain/action.ts";
import { newActionId } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { AskedAction } from "../../store/interface/actions.ts";
import { type Acted, type ActParts, filledOf, refused, wordsOf, yesAndNo } from "./acted.ts";
import type { DecidedMessage } from "./decided-message.ts";

export function confirmationText(
  { message: { bot } }: DecidedMessage,
  { confirm, slots }: CompiledAction,
  { values }: ActionMemory,
): string {
  const { wording } = actionsOf(bot.document);
  return confirm === undefined ? "" : wordSlots(confirm, { values, slots, wording });
}

/** Asks the visitor to confirm exactly this action; its id and a keyed hash are stored first. */
export async function confirming(
  { actions, randomBytes, now }: Pick<ActParts, "actions" | "randomBytes" | "now">,
  decided: DecidedMessage,
  action: CompiledAction,
  step: Step & { isWrong?: true },
): Promise<Acted> {
  const { intent } = action;
  const { memory, isWrong } = step;
  const text = confirmationText(decided, action, memory);
  const known = memory.open?.confirm;
  const said = isWrong ? `${wordsOf(decided).wrong.yesno} ${text}` : text;
  const offersPerson = (memory.open?.wrong ?? 0) >= WRONG_UNTIL_PERSON;
  const asking = { text: said, isResult: false, next: yesAndNo(decided), offersPerson };
  const receipt = {
    intent,
    state: "confirm" as const,
    ...filledOf(step),
    ...(isWrong && { wrong: true as const }),
  };
  if (known !== undefined) return { ...asking, memory, receipt: { ...receipt, confirms: known.id } };
  const request = buildRequest(action, memory.values);
  if (request === undefined) return refused(action, step, "unsafe-path");
  const at = now();
  const confirm = {
    id: newActionId(at, randomBytes),
    key: Buffer.from(randomBytes(32)).toString("base64"),
    at,
  };
  await actions.ask(askedAction(action, request, confirm, text));
  const open = { intent, confirm, wrong: 0 };
  return {
    ...asking,
    memory: { values: memory.values, open },
    receipt: { ...receipt, confirms: confirm.id },
  };
}

/** The key is stored only with the values, so the hash alone does not reveal the action. */
export function askedAction(
  { endpoint }: CompiledAction,
  { method, path, query, body }: ActionRequest,
  { id, key, at }: { id: string; key: string; at: EpochMs },
  text: string,
): AskedAction {
  const what = JSON.stringify([endpoint, method, path, query, body ?? null, text]);
  return { id, at, hash: createHmac("sha256", Buffer.from(key, "base64")).update(what).digest() };
}
