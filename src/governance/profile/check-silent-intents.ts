import type { BotRule } from "../../domain/bot.ts";
import { responderFor } from "../../domain/responder.ts";
import { compileCapabilityProfile } from "./capability-profile.ts";

/** Warns of allowed intents of a scripted bot that have no responses. */
export const checkSilentIntents: BotRule = (bot) => {
  const profile = compileCapabilityProfile(bot.capabilityProfile);
  return (bot.intents ?? []).flatMap(({ name, responses, action }, index) =>
    responses !== undefined ||
    action !== undefined ||
    profile.standingOf(name) !== "allowed" ||
    responderFor(bot, name).kind === "model"
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
