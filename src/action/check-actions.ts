import { type ActionSettings, MOST_SLOTS, type Slot } from "../domain/action.ts";
import type { BotDocument, BotIntent, BotProblem, BotRule } from "../domain/bot.ts";
import { didYouMean } from "../domain/closest-name.ts";
import { isTimeZone } from "../domain/opening-hours.ts";
import type { PersonalDataKind } from "../domain/personal-data.ts";
import { patternFault } from "../governance/output/pattern-safety.ts";
import { isSentAsWritten, slotsSent, textsIn } from "./build-request.ts";
import { fillTemplate, parseTemplate, placeholdersIn } from "./template.ts";

const mistake = (pointer: string, message: string): BotProblem => ({ pointer, message, severity: "error" });

/** Faults of slots and actions, with their places. */
export const checkActions: BotRule = (bot) => [
  ...checkTimeZone(bot),
  ...(bot.intents ?? []).flatMap((intent, at) => checkIntent(bot, intent, `/intents/${at}`)),
  ...checkSharedSlots(bot),
];

function checkTimeZone({ timezone }: BotDocument): BotProblem[] {
  if (timezone === undefined || isTimeZone(timezone)) return [];
  return [
    mistake(
      "/timezone",
      `${JSON.stringify(timezone)} is not a time zone; write one such as \`Europe/Berlin\``,
    ),
  ];
}

function checkIntent(bot: BotDocument, intent: BotIntent, at: string): BotProblem[] {
  const { action, slots, responses } = intent;
  if (action === undefined) {
    return slots === undefined ? [] : [mistake(`${at}/slots`, "`slots` need an `action` that uses them")];
  }
  const both =
    responses === undefined
      ? []
      : [mistake(`${at}/responses`, "an intent has `action` or `responses`, never both")];
  return [...both, ...checkSlots(bot, slots ?? [], at), ...checkAction(action, slots ?? [], at)];
}

function checkSlots(bot: BotDocument, slots: readonly Slot[], at: string): BotProblem[] {
  const many =
    slots.length > MOST_SLOTS
      ? [mistake(`${at}/slots`, `an intent has at most ${MOST_SLOTS} slots, not ${slots.length}`)]
      : [];
  const names = slots.map(({ name }) => name);
  return [
    ...many,
    ...slots.flatMap((slot, index) => {
      const pointer = `${at}/slots/${index}`;
      const twice =
        names.indexOf(slot.name) < index
          ? [mistake(`${pointer}/name`, `the slot \`${slot.name}\` is given twice`)]
          : [];
      return [...twice, ...checkSlot(slot, pointer), ...checkDenied(bot, slot, pointer)];
    }),
  ];
}

const RESERVED: ReadonlySet<string> = new Set(["body", "status", "botName"]);

function checkSlot({ name, type, ask, pattern, choices, optional }: Slot, at: string): BotProblem[] {
  const found: BotProblem[] = [];
  // Tested as it is used: on the whole value.
  const fault = pattern === undefined ? undefined : patternFault(`^(?:${pattern})$`);
  if (fault !== undefined) found.push(mistake(`${at}/pattern`, `\`pattern\` ${fault}`));
  if (type === "text" && pattern === undefined)
    found.push(mistake(at, "a slot of type `text` needs a `pattern` that its whole value matches"));
  if ((type === "choice") !== (choices !== undefined))
    found.push(mistake(at, "`choices` belong to a slot of type `choice`, and it needs them"));
  if (ask === undefined && optional !== true)
    found.push(mistake(at, "a slot needs `ask`, the question for it, or `optional: true`"));
  if (RESERVED.has(name))
    found.push(
      mistake(`${at}/name`, `\`{${name}}\` means something else in texts; give the slot another name`),
    );
  return found;
}

/** The kind of personal data in every value of a slot type. A profile that denies the kind denies each message that fills such a slot. */
const DENIED_BY: Readonly<Partial<Record<Slot["type"], PersonalDataKind>>> = {
  email: "e-mail",
  phone: "phone",
};

function checkDenied({ capabilityProfile }: BotDocument, { type, name }: Slot, at: string): BotProblem[] {
  const pattern = DENIED_BY[type];
  if (pattern === undefined || !capabilityProfile?.denyPatterns?.includes(pattern)) return [];
  return [
    mistake(
      `${at}/type`,
      `\`${name}\` can never be filled: the profile denies every message with data of the kind \`${pattern}\``,
    ),
  ];
}

function checkAction(action: ActionSettings, slots: readonly Slot[], at: string): BotProblem[] {
  const { method = "GET", confirm, proof = [] } = action;
  const found: BotProblem[] = [];
  if (method !== "GET" && confirm === undefined)
    found.push(
      mistake(
        `${at}/action`,
        `${method} changes something, so the action needs \`confirm\`, a question before it`,
      ),
    );
  return [
    ...found,
    ...checkPath(action, at),
    ...checkProof(action, slots, at),
    ...checkTexts(action, slots, at),
    ...checkAnswers(action, proof.length > 0, at),
    ...checkUnused(action, slots, at),
  ];
}

function checkPath({ path }: ActionSettings, at: string): BotProblem[] {
  const template = parseTemplate(path);
  const [before = "", ...behind] = fillTemplate(template, () => "x")!.split("?");
  if (template.faults.length > 0 || isSentAsWritten({ path: before, query: behind.join("?") })) return [];
  return [
    mistake(
      `${at}/action/path`,
      "`path` would not be sent as it is written: leave out `.` and `..` between slashes, empty segments, `\\`, `#`, `%2F` and `%5C`, and encode characters that a URL needs encoded",
    ),
  ];
}

/** An action without a proof needs a public endpoint. Only the server's configuration knows which are: `configured-names.ts` checks that. */
function checkProof(action: ActionSettings, slots: readonly Slot[], at: string): BotProblem[] {
  const { proof } = action;
  const pointer = `${at}/action/proof`;
  if (proof === undefined) return [];
  const sent = sentBy(action);
  const names = slots.map(({ name }) => name);
  const unknown = proof.flatMap((name, index) => {
    if (!names.includes(name)) return [mistake(`${pointer}/${index}`, noSlot(name, names))];
    if (slots.find((slot) => slot.name === name)?.optional)
      return [
        mistake(`${pointer}/${index}`, `\`${name}\` is optional, and proves nothing where it is left out`),
      ];
    return sent.has(name)
      ? []
      : [mistake(`${pointer}/${index}`, `\`${name}\` is not sent to the endpoint, which has to compare it`)];
  });
  return proof.length >= 2
    ? unknown
    : [
        ...unknown,
        mistake(pointer, "`proof` needs at least two slots, because one value alone can be guessed"),
      ];
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

function checkTexts(action: ActionSettings, slots: readonly Slot[], at: string): BotProblem[] {
  const names = slots.map(({ name }) => name);
  return checkedTexts(action, at).flatMap(({ pointer, text, hasAnswer }) => {
    const isFailure = pointer.endsWith("/failure");
    const template = parseTemplate(text.replaceAll("{botName}", ""));
    const inBraces = placeholdersIn(template).flatMap(({ of, path, written }) => {
      if (isFailure) return [`\`${written}\`: \`failure\` is said where nothing is known, and has no values`];
      if (of === "slot")
        return names.includes(path[0]!) ? [] : [`\`${written}\`: ${noSlot(path[0]!, names)}`];
      return hasAnswer ? [] : [`\`${written}\` is a field of the answer, and there is none yet`];
    });
    return [...template.faults, ...inBraces].map((message) => mistake(pointer, message));
  });
}

function checkAnswers({ answers }: ActionSettings, hasProof: boolean, at: string): BotProblem[] {
  const failed = answers.flatMap((answer, index) => (isProofFailed(answer) ? [{ ...answer, index }] : []));
  const pointerOf = (index: number, field: string) => `${at}/action/answers/${index}/${field}`;
  const different = !hasProof
    ? []
    : failed
        .filter(({ say }) => say !== failed[0]!.say)
        .map(({ index }) =>
          mistake(
            pointerOf(index, "say"),
            "failed proofs have different texts, which show a stranger which value was right; give all of them the same text",
          ),
        );
  const fields = answers.flatMap(({ when = {} }, index) =>
    Object.keys(when)
      .filter((path) => path !== "status" && !/^body(\.[^.]+)*$/.test(path))
      .map((path) =>
        mistake(pointerOf(index, "when"), `\`${path}\` is neither \`status\` nor a field as \`body.state\``),
      ),
  );
  return [...different, ...fields];
}

const FAILED_STATUSES: ReadonlySet<unknown> = new Set([401, 403, 404, 422]);

function isProofFailed({ when, proofFailed }: ActionSettings["answers"][number]): boolean {
  const status = when?.["status"];
  const statuses: readonly unknown[] = Array.isArray(status) ? status : [status];
  return proofFailed === true || statuses.some((one) => FAILED_STATUSES.has(one));
}

function checkUnused(action: ActionSettings, slots: readonly Slot[], at: string): BotProblem[] {
  const used = new Set(
    checkedTexts(action, at).flatMap(({ text }) =>
      placeholdersIn(parseTemplate(text)).map(({ path }) => path[0]!),
    ),
  );
  return slots.flatMap(({ name }, index) =>
    used.has(name)
      ? []
      : [
          mistake(
            `${at}/slots/${index}/name`,
            `\`${name}\` is used nowhere: not in the path, the body, the confirmation or an answer`,
          ),
        ],
  );
}

/** Slots of the same name must have the same type in all intents of a bot, because a given value is reused. */
function checkSharedSlots({ intents = [] }: BotDocument): BotProblem[] {
  const types = new Map<string, Slot["type"]>();
  return intents.flatMap(({ slots = [] }, intent) =>
    slots.flatMap(({ name, type }, index) => {
      const known = types.get(name);
      types.set(name, known ?? type);
      return known === undefined || known === type
        ? []
        : [
            mistake(
              `/intents/${intent}/slots/${index}/type`,
              `\`${name}\` is of type \`${known}\` in another intent, and a given value is used again there; give this slot another name`,
            ),
          ];
    }),
  );
}
