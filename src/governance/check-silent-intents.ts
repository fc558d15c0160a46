import type { BotRule } from "../domain/bot.ts";
import type { IntentName } from "../domain/ids.ts";
import { compileCapabilityProfile } from "./capability-profile.ts";

/** Warns of intents that a scripted bot may speak to, but has no responses for. */
export const checkSilentIntents: BotRule = (bot) => {
  if (bot.responder !== undefined && bot.responder.kind !== "scripted") return [];
  const profile = compileCapabilityProfile(bot.capabilityProfile);
  return (bot.intents ?? []).flatMap(({ name, responses }, index) =>
    responses !== undefined || profile.standingOf(name as IntentName) !== "allowed"
      ? []
      : [
          {
            pointer: `/intents/${index}`,
            message: `the intent \`${name}\` is allowed but has no \`responses\` to answer with`,
            severity: "warning",
          },
        ],
  );
};
