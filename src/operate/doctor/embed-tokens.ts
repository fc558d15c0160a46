import { embedTokenState } from "../../access/secrets.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { StoredEmbedToken } from "../../store/interface/embed-tokens.ts";
import { type Finding, formatSpan, findingsOf } from "./finding.ts";

const EMBED_TOKENS = findingsOf("embed-tokens");

/** Time to replace a token in pages maintained by others. */
const SOON_MS = 14 * 24 * 60 * 60 * 1000;

type Token = Pick<StoredEmbedToken, "id" | "label" | "expiresAt" | "revokedAt">;

/** Tokens that expire soon, or have expired and are still listed. Pure. */
export function judgeEmbedTokens(tokens: readonly Token[], now: EpochMs): Finding[] {
  const active = tokens.filter((token) => embedTokenState(token, now) === "active");
  const ending = active.filter(({ expiresAt }) => expiresAt !== undefined && expiresAt - now < SOON_MS);
  const expired = tokens.filter((token) => embedTokenState(token, now) === "expired");
  const findings: Finding[] = [];
  if (ending.length > 0) {
    findings.push(
      EMBED_TOKENS.mend(
        `soon to expire: ${describe(ending, (expiresAt) => `in ${formatSpan(expiresAt - now)}`)}`,
        "`parley token create --bot BOT`, put the new token into the pages, then `parley token revoke TOKEN_ID`",
      ),
    );
  }
  if (expired.length > 0) {
    findings.push(
      EMBED_TOKENS.hint(
        `expired: ${describe(expired, (expiresAt) => `${formatSpan(now - expiresAt)} ago`)}; pages that still carry it get 401`,
        "put a new token into such pages, then `parley token revoke TOKEN_ID`",
      ),
    );
  }
  return findings.length > 0 ? findings : [EMBED_TOKENS.fine(`${active.length} valid, none ends soon`)];
}

const MAX_TOKENS = 5;

function describe(tokens: readonly Token[], when: (expiresAt: EpochMs) => string): string {
  const shown = tokens
    .slice(0, MAX_TOKENS)
    .map(
      ({ id, label, expiresAt }) =>
        `${label ?? id} (${label === undefined ? "" : `${id}, `}${when(expiresAt!)})`,
    );
  const rest = tokens.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
}
