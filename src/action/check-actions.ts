import { type ActionSettings, MAX_SLOTS, type Slot } from "../domain/action.ts";
import type { BotDocument, BotIntent, BotProblem, BotRule } from "../domain/bot.ts";
import { didYouMean } from "../domain/closest-name.ts";
import { isTimeZone } from "../domain/opening-hours.ts";
import type { PersonalDataKind } from "../domain/personal-data.ts";
import { patternFault } from "../governance/output/pattern-safety.ts";
import { isSentAsWritten, slotsSent, textsIn } from "./build-request.ts";
import { fillTemplate, parseTemplate, placeholdersIn } from "./template.ts";

/** Reports a fault at its place. */
type Report = (pointer: string, message: string) => void;

/** Faults of slots and actions, with their places. */
export const checkActions: BotRule = (bot) => {
  const problems: BotProblem[] = [];
  const report: Report = (pointer, message) => problems.push({ pointer, message, severity: "error" });
  const { timezone, intents = [] } = bot;
  if (timezone !== undefined && !isTimeZone(timezone))
    report(
      "/timezone",
      `${JSON.stringify(timezone)} is not a time zone; write one such as \`Europe/Berlin\``,
    );
  for (const [at, intent] of intents.entries()) checkIntent(report, bot, intent, `/intents/${at}`);
  checkSharedSlots(report, intents);
  return problems;
};

function checkIntent(report: Report, bot: BotDocument, intent: BotIntent, at: string): void {
  const { action, slots, responses } = intent;
  if (action === undefined) {
    if (slots !== undefined) report(`${at}/slots`, "`slots` need an `action` that uses them");
    return;
  }
  if (responses !== undefined) report(`${at}/responses`, "an intent has `action` or `responses`, never both");
  checkSlots(report, bot, slots ?? [], at);
  checkAction(report, action, slots ?? [], at);
}

function checkSlots(report: Report, bot: BotDocument, slots: readonly Slot[], at: string): void {
  if (slots.length > MAX_SLOTS)
    report(`${at}/slots`, `an intent has at most ${MAX_SLOTS} slots, not ${slots.length}`);
  const names = slots.map(({ name }) => name);
  for (const [index, slot] of slots.entries()) {
    const pointer = `${at}/slots/${index}`;
    if (names.indexOf(slot.name) < index)
      report(`${pointer}/name`, `the slot \`${slot.name}\` is given twice`);
    checkSlot(report, slot, pointer);
    checkDenied(report, bot, slot, pointer);
  }
}

const RESERVED: ReadonlySet<string> = new Set(["body", "status", "botName"]);

function checkSlot(report: Report, { name, type, ask, pattern, choices, optional }: Slot, at: string): void {
  // Tested as it is used: on the whole value.
  const fault = pattern === undefined ? undefined : patternFault(`^(?:${pattern})$`);
  if (fault !== undefined) report(`${at}/pattern`, `\`pattern\` ${fault}`);
  if (type === "text" && pattern === undefined)
    report(at, "a slot of type `text` needs a `pattern` that its whole value matches");
  if ((type === "choice") !== (choices !== undefined))
    report(at, "`choices` belong to a slot of type `choice`, and it needs them");
  if (ask === undefined && optional !== true)
    report(at, "a slot needs `ask`, the question for it, or `optional: true`");
  if (RESERVED.has(name))
    report(`${at}/name`, `\`{${name}}\` means something else in texts; give the slot another name`);
}

/** The kind of personal data in every value of a slot type. A profile that denies the kind denies each message that fills such a slot. */
const DENIED_BY: Readonly<Partial<Record<Slot["type"], PersonalDataKind>>> = {
  email: "e-mail",
  phone: "phone",
};

function checkDenied(
  report: Report,
  { capabilityProfile }: BotDocument,
  { type, name }: Slot,
  at: string,
): void {
  const kind = DENIED_BY[type];
  if (kind !== undefined && capabilityProfile?.denyPatterns?.includes(kind))
    report(
      `${at}/type`,
      `\`${name}\` can never be filled: the profile denies every message with data of the kind \`${kind}\``,
    );
}

function checkAction(report: Report, action: ActionSettings, slots: readonly Slot[], at: string): void {
  const { method = "GET", confirm } = action;
  if (method !== "GET" && confirm === undefined)
    report(
      `${at}/action`,
      `${method} changes something, so the action needs \`confirm\`, a question before it`,
    );
  checkPath(report, action, at);
  checkProof(report, action, slots, at);
  checkTexts(report, action, slots, at);
  checkAnswers(report, action, at);
  checkUnused(report, action, slots, at);
}

function checkPath(report: Report, { path }: ActionSettings, at: string): void {
  const template = parseTemplate(path);
  const [before = "", ...behind] = fillTemplate(template, () => "x")!.split("?");
  if (template.faults.length > 0 || isSentAsWritten({ path: before, query: behind.join("?") })) return;
  report(
    `${at}/action/path`,
    "`path` would not be sent as it is written: leave out `.` and `..` between slashes, empty segments, `\\`, `#`, `%2F` and `%5C`, and encode characters that a URL needs encoded",
  );
}

/**
 * An action without a proof needs a public endpoint. Only the server's configuration knows which are: `configured-names.ts` checks that.
 */
function checkProof(report: Report, action: ActionSettings, slots: readonly Slot[], at: string): void {
  const { proof } = action;
  if (proof === undefined) return;
  const sent = sentBy(action);
  const names = slots.map(({ name }) => name);
  for (const [index, name] of proof.entries()) {
    const pointer = `${at}/action/proof/${index}`;
    const slot = slots.find((one) => one.name === name);
    if (slot === undefined) report(pointer, noSlot(name, names));
    else if (slot.optional)
      report(pointer, `\`${name}\` is optional, and proves nothing where it is left out`);
    else if (!sent.has(name))
      report(pointer, `\`${name}\` is not sent to the endpoint, which has to compare it`);
  }
  if (proof.length < 2)
    report(`${at}/action/proof`, "`proof` needs at least two slots, because one value alone can be guessed");
}

const noSlot = (name: string, names: readonly string[]): string =>
  `there is no slot \`${name}\`${didYouMean(name, names)}`;

function sentBy({ path, body }: ActionSettings): Set<string> {
  const [before = "", ...behind] = path.split("?");
  return slotsSent({ path: parseTemplate(before), query: parseTemplate(behind.join("?")), body });
}

/** A text of an action, with its allowed placeholders and its place. */
interface CheckedText {
  pointer: string;
  text: string;
  hasAnswer: boolean;
}

function checkedTexts({ path, body, confirm, answers, failure }: ActionSettings, at: string): CheckedText[] {
  const textOf = (field: string, text: string | undefined, hasAnswer = false) =>
    text === undefined ? [] : [{ pointer: `${at}/action/${field}`, text, hasAnswer }];
  return [
    ...textOf("path", path),
    ...textsIn(body).flatMap((text) => textOf("body", text)),
    ...textOf("confirm", confirm),
    ...answers.flatMap(({ say }, index) => textOf(`answers/${index}/say`, say, true)),
    ...textOf("failure", failure.includes("{") ? failure.replaceAll("{botName}", "") : undefined),
  ];
}

function checkTexts(report: Report, action: ActionSettings, slots: readonly Slot[], at: string): void {
  const names = slots.map(({ name }) => name);
  for (const { pointer, text, hasAnswer } of checkedTexts(action, at)) {
    const isFailure = pointer.endsWith("/failure");
    const template = parseTemplate(text.replaceAll("{botName}", ""));
    for (const fault of template.faults) report(pointer, fault);
    for (const { of, path, written } of placeholdersIn(template)) {
      if (isFailure)
        report(pointer, `\`${written}\`: \`failure\` is said where nothing is known, and has no values`);
      else if (of === "slot" && !names.includes(path[0]!))
        report(pointer, `\`${written}\`: ${noSlot(path[0]!, names)}`);
      else if (of !== "slot" && !hasAnswer)
        report(pointer, `\`${written}\` is a field of the answer, and there is none yet`);
    }
  }
}

function checkAnswers(report: Report, { answers, proof = [] }: ActionSettings, at: string): void {
  const pointerOf = (index: number, field: string) => `${at}/action/answers/${index}/${field}`;
  const failed = answers.find(isProofFailed);
  for (const [index, answer] of answers.entries())
    if (proof.length > 0 && isProofFailed(answer) && answer.say !== failed!.say)
      report(
        pointerOf(index, "say"),
        "failed proofs have different texts, which show a stranger which value was right; give all of them the same text",
      );
  for (const [index, { when = {} }] of answers.entries())
    for (const path of Object.keys(when))
      if (path !== "status" && !/^body(\.[^.]+)*$/.test(path))
        report(pointerOf(index, "when"), `\`${path}\` is neither \`status\` nor a field as \`body.state\``);
}

const FAILED_STATUSES: ReadonlySet<unknown> = new Set([401, 403, 404, 422]);

function isProofFailed({ when, proofFailed }: ActionSettings["answers"][number]): boolean {
  const status = when?.["status"];
  const statuses: readonly unknown[] = Array.isArray(status) ? status : [status];
  return proofFailed === true || statuses.some((one) => FAILED_STATUSES.has(one));
}

function checkUnused(report: Report, action: ActionSettings, slots: readonly Slot[], at: string): void {
  const templates = checkedTexts(action, at).map(({ text }) => parseTemplate(text));
  const used = new Set(templates.flatMap(placeholdersIn).map(({ path }) => path[0]!));
  for (const [index, { name }] of slots.entries())
    if (!used.has(name))
      report(
        `${at}/slots/${index}/name`,
        `\`${name}\` is used nowhere: not in the path, the body, the confirmation or an answer`,
      );
}

/** Slots of the same name must have the same type in all intents of a bot, because a given value is reused. */
function checkSharedSlots(report: Report, intents: readonly BotIntent[]): void {
  const types = new Map<string, Slot["type"]>();
  for (const [intent, { slots = [] }] of intents.entries())
    for (const [index, { name, type }] of slots.entries()) {
      const known = types.get(name) ?? type;
      types.set(name, known);
      if (known !== type)
        report(
          `/intents/${intent}/slots/${index}/type`,
          `\`${name}\` is of type \`${known}\` in another intent, and a given value is used again there; give this slot another name`,
        );
    }
}
