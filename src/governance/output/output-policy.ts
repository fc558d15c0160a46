import type { BotDocument, BotIntent } from "../../domain/bot.ts";
import type { IntentName } from "../../domain/ids.ts";
import { compileOutputSchema, type Enforcement } from "./output-schema.ts";

/** The output schema that counts for an intent, and what replaces an answer that fails it. */
export interface OutputRule {
  /** The JSON Schema itself, for a model to see. */
  schema: unknown;
  readonly enforce: (text: string) => Enforcement;
  fallbackResponse: string;
}

/** What a bot's operator decided about the form of its answers, compiled once when the bot is loaded. */
export interface OutputPolicy {
  /** Undefined where the intent's answers are free. */
  ruleFor(intent: IntentName): OutputRule | undefined;
}

/**
 * Where an intent's schema and fallback come from: its own, each, or else the bot's. So an intent may have a schema of
 * its own beside the bot's fallback, as long as that satisfies it, and a fallback of its own beside the bot's schema.
 */
export function outputSourcesOf(bot: BotDocument, intent: BotIntent | undefined) {
  return {
    schema: intent?.outputSchema ?? bot.outputSchema,
    fallbackResponse: intent?.fallbackResponse ?? bot.fallbackResponse,
  };
}

/**
 * Compiles the output schemas of a bot that `checkOutputSchemas` found sound.
 * @throws Error when the bot has a schema that does not compile, or none to fall back on.
 */
export function compileOutputPolicy(bot: BotDocument): OutputPolicy {
  const enforcers = new Map<unknown, OutputRule["enforce"]>();
  const ruleOf = (intent: BotIntent | undefined): OutputRule | undefined => {
    const { schema, fallbackResponse } = outputSourcesOf(bot, intent);
    if (schema === undefined) return undefined;
    const enforce = enforcers.get(schema) ?? compiled(bot, schema);
    enforcers.set(schema, enforce);
    if (fallbackResponse === undefined) throw new Error(`bot ${bot.id} has an output schema and no fallback`);
    return { schema, enforce, fallbackResponse };
  };
  const rules = new Map((bot.intents ?? []).map((intent) => [intent.name, ruleOf(intent)]));
  return { ruleFor: (intent) => rules.get(intent) };
}

function compiled(bot: BotDocument, schema: unknown): OutputRule["enforce"] {
  const result = compileOutputSchema(schema);
  if (!result.ok) {
    throw new Error(
      `bot ${bot.id}: ${result.problems.map(({ pointer, message }) => `${pointer} ${message}`).join("; ")}`,
    );
  }
  return result.enforcer.enforce;
}
