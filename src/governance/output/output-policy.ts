import type { BotDocument, BotIntent } from "../../domain/bot.ts";
import { type IntentName, KNOWLEDGE_INTENT } from "../../domain/ids.ts";
import { compileOutputSchema, type Enforcement } from "./output-schema.ts";

/** The output schema that counts for an intent, and what replaces an answer that fails it. */
export interface OutputRule {
  /** The JSON Schema itself, for a model to see. */
  schema: unknown;
  readonly enforce: (text: string) => Enforcement;
  fallbackResponse: string;
  /** Why no answer passes: this version of Parley does not check the schema. Absent where it does. */
  fault?: string;
}

/** What a bot's operator decided about the form of its answers, compiled once when the bot is loaded. */
export interface OutputPolicy {
  /** Undefined where the intent's answers are free. */
  ruleFor(intent: IntentName): OutputRule | undefined;
  /** What is wrong with schemas that an earlier version of Parley took; each is named once. */
  faults: readonly string[];
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
 * Compiles the output schemas of a bot that `checkOutputSchemas` found sound. A schema that an earlier version of Parley took for safe, and
 * this one does not, lets no answer pass: the fallback is the only text that is known to satisfy it.
 *
 * @throws Error when the bot has a schema that does not compile, or none to fall back on.
 */
export function compileOutputPolicy(bot: BotDocument): OutputPolicy {
  const enforcers = new Map<unknown, SchemaEnforcer>();
  const faults: string[] = [];
  const ruleOf = (intent: BotIntent | undefined): OutputRule | undefined => {
    const { schema, fallbackResponse } = outputSourcesOf(bot, intent);
    if (schema === undefined) return undefined;
    const enforcer = enforcers.get(schema) ?? enforcerOf(bot, schema, faults);
    enforcers.set(schema, enforcer);
    if (fallbackResponse === undefined) throw new Error(`bot ${bot.id} has an output schema and no fallback`);
    return { schema, fallbackResponse, ...enforcer };
  };
  const rules = new Map((bot.intents ?? []).map((intent) => [intent.name, ruleOf(intent)]));
  rules.set(KNOWLEDGE_INTENT, ruleOf(undefined));
  return { ruleFor: (intent) => rules.get(intent), faults };
}

type SchemaEnforcer = Pick<OutputRule, "enforce" | "fault">;

/** One line for the metadata of every answer; what is wrong with the schema is the operator's business. */
const UNSAFE = "the output schema is not safe to check, so no answer passes";

function enforcerOf(bot: BotDocument, schema: unknown, faults: string[]): SchemaEnforcer {
  const result = compileOutputSchema(schema);
  if (result.ok) return result.enforcer;
  const fault = result.problems.map(({ pointer, message }) => `${pointer} ${message}`.trim()).join("; ");
  if (!mayLookAround(schema)) throw new Error(`bot ${bot.id}: ${fault}`);
  faults.push(fault);
  return { fault: UNSAFE, enforce: () => ({ valid: false, error: UNSAFE }) };
}

/** Whether a bot may have schemas that only earlier versions of Parley took. Cheap, and never wrong about "no". */
export function mayHaveUnsafeSchemas(bot: BotDocument): boolean {
  return [bot, ...(bot.intents ?? [])].some(({ outputSchema }) => mayLookAround(outputSchema));
}

/** Patterns that look ahead or behind from within a text were taken once. */
function mayLookAround(schema: unknown): boolean {
  return schema !== undefined && /\(\?<?[=!]/.test(JSON.stringify(schema));
}
