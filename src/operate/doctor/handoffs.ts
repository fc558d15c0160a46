import type { Config } from "../../config/config.ts";
import type { BotDocument } from "../../domain/bot.ts";
import { didYouMean } from "../../domain/closest-name.ts";
import type { FailedNotices } from "../../domain/delivery.ts";
import type { EpochMs } from "../../domain/time.ts";
import { type Finding, formatSpan, listNames, findingsOf } from "./finding.ts";

const BOTS = findingsOf("bots");
const HANDOFFS = findingsOf("handoffs");

/** The settings for notices of hand-offs. */
export type NoticeConfig = Pick<Config, "webhooks" | "smtp" | "mailFrom">;

/** Bots whose hand-off notices go to a webhook or address that is not configured. Pure. */
export function judgeHandoffs(bots: readonly BotDocument[], config: NoticeConfig): Finding[] {
  return [...unknownWebhooks(bots, Object.keys(config.webhooks)), ...withoutMailServer(bots, config)];
}

/** Hand-offs whose notices all failed. Pure. */
export function judgeFailedNotices(failed: readonly FailedNotices[], now: EpochMs): Finding[] {
  return failed.map(({ channel, target, state, notices, since, error }) => {
    const handoffs = notices === 1 ? "a hand-off" : `${notices} hand-offs`;
    const next = state === "waiting" ? "it is tried again" : "it is not tried again";
    const why = error === undefined ? "" : `: ${error}`;
    const test =
      channel === "webhook" ? `\`parley webhook test ${target}\`` : `\`parley mail test --to ${target}\``;
    return HANDOFFS.mend(
      `\`${target}\` did not receive notices of ${handoffs}, for ${formatSpan(now - since)}, and ${next}${why}`,
      `${test} says whether it takes something now; visitors wait under Hand-offs in the console, and Deliveries sends again`,
    );
  });
}

function unknownWebhooks(bots: readonly BotDocument[], configured: readonly string[]): Finding[] {
  const unknown = Map.groupBy(bots, ({ handoff }) => handoff?.webhook);
  return [...unknown].flatMap(([name, naming]): Finding[] => {
    if (name === undefined || configured.includes(name)) return [];
    const message = `${namesOf(naming)}: \`handoff.webhook\` is \`${name}\`, which these settings do not have${didYouMean(name, configured)}`;
    const cure =
      "correct `handoff.webhook` and seed again, or name the webhook under `webhooks` in the file of --config, and give this command the settings of `parley serve`";
    return [BOTS.mend(message, cure)];
  });
}

function withoutMailServer(bots: readonly BotDocument[], { smtp, mailFrom }: NoticeConfig): Finding[] {
  const writing = bots.filter(({ handoff }) => handoff?.email !== undefined);
  if (writing.length === 0 || (smtp && mailFrom !== undefined)) return [];
  const lacking = smtp ? "--mail-from" : "--smtp and --mail-from";
  const message = `${namesOf(writing)}: \`handoff.email\` should be notified of hand-offs, but no e-mail is sent without ${lacking}`;
  const cure = `set ${lacking}, and give this command the settings of \`parley serve\`; or take \`handoff.email\` out and seed again`;
  return [BOTS.mend(message, cure)];
}

const namesOf = (bots: readonly BotDocument[]): string => listNames(bots.map(({ id }) => id));
