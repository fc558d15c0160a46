import type { Config } from "../../config/config.ts";
import type { BotDocument } from "../../domain/bot.ts";
import { didYouMean } from "../../domain/closest-name.ts";
import { type Finding, listNames } from "./finding.ts";

/** What of the configuration says who is told of hand-offs. */
export type TellingConfig = Pick<Config, "webhooks" | "smtp" | "mailFrom">;

/** Bots whose hand-offs are told to a webhook or an address that nothing is sent to. Pure. */
export function judgeHandoffs(bots: readonly BotDocument[], config: TellingConfig): Finding[] {
  return [...unknownWebhooks(bots, Object.keys(config.webhooks)), ...withoutMailServer(bots, config)];
}

function unknownWebhooks(bots: readonly BotDocument[], configured: readonly string[]): Finding[] {
  const unknown = Map.groupBy(bots, ({ handoff }) => handoff?.webhook);
  return [...unknown].flatMap(([name, naming]): Finding[] => {
    if (name === undefined || configured.includes(name)) return [];
    const message = `${namesOf(naming)}: \`handoff.webhook\` is \`${name}\`, which these settings do not have${didYouMean(name, configured)}`;
    const cure =
      "correct `handoff.webhook` and seed again, or name the webhook under `webhooks` in the file of --config, and give this command the settings of `parley serve`";
    return [{ check: "bots", severity: "mend", message, cure }];
  });
}

function withoutMailServer(bots: readonly BotDocument[], { smtp, mailFrom }: TellingConfig): Finding[] {
  const writing = bots.filter(({ handoff }) => handoff?.email !== undefined);
  if (writing.length === 0 || (smtp && mailFrom !== undefined)) return [];
  const lacking = smtp ? "--mail-from" : "--smtp and --mail-from";
  const message = `${namesOf(writing)}: \`handoff.email\` is to be told of hand-offs, and no e-mail is sent without ${lacking}`;
  const cure = `set ${lacking}, and give this command the settings of \`parley serve\`; or take \`handoff.email\` out and seed again`;
  return [{ check: "bots", severity: "mend", message, cure }];
}

const namesOf = (bots: readonly BotDocument[]): string => listNames(bots.map(({ id }) => id));
