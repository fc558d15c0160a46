import {
  type BotDocument,
  type BotIntent,
  type BotProblem,
  type BotRule,
  withBotName,
} from "../../domain/bot.ts";
import { outputSourcesOf } from "./output-policy.ts";
import { compileOutputSchema, type Enforcer } from "./output-schema.ts";

/**
 * Refuses output schemas that do not compile, and fallbacks that are missing or fail their schema; warns of scripted
 * answers that fail theirs, and of fallbacks without a schema.
 */
export const checkOutputSchemas: BotRule = (bot) => {
  const compiled = new Map<unknown, Enforcer | undefined>();
  const ofBot = checkHolder(bot, undefined, "", compiled);
  const ofIntents = (bot.intents ?? []).map((intent, index) =>
    checkHolder(bot, intent, `/intents/${index}`, compiled),
  );
  return [ofBot, ...ofIntents].flat();
};

const mistake = (pointer: string, message: string): BotProblem => ({ pointer, message, severity: "error" });
const warning = (pointer: string, message: string): BotProblem => ({ pointer, message, severity: "warning" });

/** Checks the schema and fallback of the bot (no intent) or of one intent. */
function checkHolder(
  bot: BotDocument,
  intent: BotIntent | undefined,
  base: string,
  compiled: Map<unknown, Enforcer | undefined>,
): BotProblem[] {
  const own = intent ?? bot;
  const { schema } = outputSourcesOf(bot, intent);
  if (schema === undefined) return own.fallbackResponse === undefined ? [] : unusedFallback(bot, base);
  const problems: BotProblem[] = [];
  if (!compiled.has(schema)) compiled.set(schema, compileAt(schema, `${base}/outputSchema`, problems));
  const enforcer = compiled.get(schema);
  if (enforcer === undefined) return problems;
  return [
    ...problems,
    ...checkFallback(bot, intent, base, enforcer),
    ...checkResponses(bot, intent, base, enforcer),
  ];
}

function unusedFallback(bot: BotDocument, base: string): BotProblem[] {
  const isUsedByIntents =
    base === "" && (bot.intents ?? []).some((intent) => intent.outputSchema !== undefined);
  const message = "`fallbackResponse` is never used without an `outputSchema`; remove it, or add the schema";
  return isUsedByIntents ? [] : [warning(`${base}/fallbackResponse`, message)];
}

function compileAt(schema: unknown, pointer: string, problems: BotProblem[]): Enforcer | undefined {
  const result = compileOutputSchema(schema);
  if (!result.ok) {
    problems.push(...result.problems.map((problem) => mistake(pointer + problem.pointer, problem.message)));
    return undefined;
  }
  problems.push(...result.warnings.map((problem) => warning(pointer + problem.pointer, problem.message)));
  return result.enforcer;
}

function checkFallback(
  bot: BotDocument,
  intent: BotIntent | undefined,
  base: string,
  enforcer: Enforcer,
): BotProblem[] {
  const own = intent ?? bot;
  const { fallbackResponse } = outputSourcesOf(bot, intent);
  // An intent that inherits both from the bot needs no check of its own.
  if (own.outputSchema === undefined && own.fallbackResponse === undefined) return [];
  if (fallbackResponse === undefined) {
    const message = "an `outputSchema` needs a `fallbackResponse` that satisfies it, for answers that do not";
    return [mistake(`${base}/outputSchema`, message)];
  }
  const outcome = enforcer.enforce(fallbackResponse);
  if (outcome.valid) return [];
  if (own.fallbackResponse !== undefined) {
    return [
      mistake(`${base}/fallbackResponse`, `\`fallbackResponse\` fails the output schema: ${outcome.error}`),
    ];
  }
  const message = `the bot's \`fallbackResponse\` fails this intent's schema (${outcome.error}); give the intent its own`;
  return [mistake(`${base}/outputSchema`, message)];
}

function checkResponses(
  bot: BotDocument,
  intent: BotIntent | undefined,
  base: string,
  enforcer: Enforcer,
): BotProblem[] {
  // An answer written by a model is checked when it arrives.
  if (intent === undefined || (intent.responder ?? bot.responder)?.kind === "model") return [];
  return (intent.responses ?? []).flatMap((response, index) => {
    const outcome = enforcer.enforce(withBotName(response, bot.name));
    if (outcome.valid) return [];
    const message = `this answer fails the output schema (${outcome.error}), so the fallback always replaces it`;
    return [warning(`${base}/responses/${index}`, message)];
  });
}
