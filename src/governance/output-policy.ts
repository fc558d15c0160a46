import type { BotDocument } from "../domain/bot.ts";
import type { IntentName } from "../domain/ids.ts";
import { compileOutputSchema } from "./output-schema.ts";
export function compileOutputPolicy(bot: BotDocument) {
  return {
    ruleFor: (_: IntentName) => {
      if (!bot.outputSchema) return;
      const c = compileOutputSchema(bot.outputSchema);
      return { enforce: c.enforcer.enforce, fallbackResponse: bot.fallbackResponse ?? "" };
    },
  };
}
export type OutputPolicy = ReturnType<typeof compileOutputPolicy>;
