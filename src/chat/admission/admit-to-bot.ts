import { decideDomain, type RequestSource } from "../../access/decide-domain.ts";
import type { LoadedBot } from "../../bots/loaded-bot.ts";
import { botNotFound } from "../../bots/read-bot.ts";
import { DEFAULT_MAX_INPUT_LENGTH } from "../../domain/bot.ts";
import { ServiceError } from "../../domain/errors.ts";
import { isServerTokenId } from "../../domain/ids.ts";
import type { StoredEmbedToken } from "../../store/interface/embed-tokens.ts";

/** The facts that decide whether an admitted caller may use a bot. */
export interface BotRequest {
  /** Undefined if there is no such bot. */
  bot: LoadedBot | undefined;
  embedToken: StoredEmbedToken;
  source: RequestSource;
  /** A visitor's text, whose length the bot limits. */
  input: string | undefined;
}

/**
 * The part of check 5 of “Order of checks” in docs/api.md that depends on the bot (length of the input), and checks 6 to 8: bot, token, domain.
 *
 * @throws ServiceError INVALID_REQUEST | NOT_FOUND | UNAUTHORIZED | FORBIDDEN
 */
export function admitToBot({ bot, embedToken, source, input = "" }: BotRequest): LoadedBot {
  refuseLongInput(input, bot?.maxInputLength);
  if (!bot) throw botNotFound();
  if (!embedToken.botIds.includes(bot.id)) {
    throw new ServiceError("UNAUTHORIZED", "The embed token was not issued for this bot.");
  }
  // A program has no page, and its token is a secret.
  if (!isServerTokenId(embedToken.id)) refuseForeignDomain(bot, source);
  return bot;
}

/** @param maxLength characters. @throws ServiceError INVALID_REQUEST with `maxLength`, where it has more. */
export function refuseLongInput(input: string, maxLength = DEFAULT_MAX_INPUT_LENGTH): void {
  // The length in UTF-16 units is at least the number of characters.
  const length = input.length > maxLength ? Array.from(input).length : input.length;
  if (length <= maxLength) return;
  const detail = `must have at most ${maxLength} characters, and has ${length}`;
  throw new ServiceError("INVALID_REQUEST", `The message is too long: \`input\` ${detail}.`, {
    errors: [{ pointer: "/input", detail, maxLength }],
  });
}

function refuseForeignDomain(bot: LoadedBot, source: RequestSource): void {
  const decision = decideDomain(bot.domains, source);
  if (decision.allowed) return;
  const detail =
    decision.reason === "no_origin"
      ? "This bot may be used from certain pages only, and the request names none: it has no Origin or Referer header."
      : "This bot may not be used from this domain.";
  throw new ServiceError("FORBIDDEN", detail, {
    logFields: {
      origin: source.origin,
      referer: source.referer,
      domainReason: decision.reason,
      allowedDomains: bot.document.allowedDomains,
    },
  });
}
