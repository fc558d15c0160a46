import type { BotDocument, BotIntent } from "../../domain/bot.ts";
import { type IntentName, KNOWLEDGE_INTENT } from "../../domain/ids.ts";
import { compileOutputSchema, type Enforcement } from "./output-schema.ts";

/** The output schema of an intent, with the fallback for answers that fail it. */
export interface OutputRule {
  /** The JSON Schema, to show to a model. */
  schema: unknown;
  readonly enforce: (text: string) => Enforcement;
  fallbackResponse: string;
  /** Why no answer can pass: this version of Parley rejects the schema as unsafe. Absent if it is safe. */
  fault?: string;
}

/** The bot's rules for the format of its answers, compiled when the bot is loaded. */
export interface OutputPolicy {
  /** Undefined if the intent's answers have no schema. */
  ruleFor(intent: IntentName): OutputRule | undefined;
  /** Faults of schemas that an earlier version of Parley accepted, without repetition. */
  faults: readonly string[];
}

/**
 * Schema and fallback of an intent, each its own or else the bot's. So an intent may combine its own schema with the bot's fallback, if
 * that is valid, and the reverse.
 */
export function outputSourcesOf(bot: BotDocument, intent: BotIntent | undefined) {
  return {
    schema: intent?.outputSchema ?? bot.outputSchema,
    fallbackResponse: intent?.fallbackResponse ?? bot.fallbackResponse,
  };
}

/**
 * Compiles the output schemas of a bot that passed `checkOutputSchemas`. If an earlier version of Parley accepted a schema that this one
 * considers unsafe, no answer passes, because only the fallback is known to be valid.
 *
 * @throws Error if a schema does not compile, or has no fallback.
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

/** One line for the metadata of every answer; the schema's fault is only reported to the operator. */
const UNSAFE = "the output schema is not safe to check, so no answer passes";

function enforcerOf(bot: BotDocument, schema: unknown, faults: string[]): SchemaEnforcer {
  const result = compileOutputSchema(schema);
  if (result.ok) return result.enforcer;
  const fault = result.problems.map(({ pointer, message }) => `${pointer} ${message}`.trim()).join("; ");
  if (!mayLookAround(schema)) throw new Error(`bot ${bot.id}: ${fault}`);
  faults.push(fault);
  return { fault: UNSAFE, enforce: () => ({ valid: false, error: UNSAFE }) };
}

/** Whether a bot may have schemas that only earlier versions accepted. Quick; never false if it has. */
export function mayHaveUnsafeSchemas(bot: BotDocument): boolean {
  return [bot, ...(bot.intents ?? [])].some(({ outputSchema }) => mayLookAround(outputSchema));
}

/** Earlier versions accepted patterns with lookarounds inside a text. */
function mayLookAround(schema: unknown): boolean {
  return schema !== undefined && /\(\?<?[=!]/.test(JSON.stringify(schema));
}
