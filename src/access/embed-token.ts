import type { EmbedToken, EmbedTokenHash, RandomBytes } from "../domain/ids.ts";
import { sha256 } from "../domain/sha256.ts";
import type { EpochMs } from "../domain/time.ts";
import { isChecksummed, newChecksummed } from "./secrets.ts";

/** `embed` tokens stand in pages; `server` tokens are secrets of programs, and refused where a browser sends them. */
export type TokenKind = "embed" | "server";

const PREFIXES: Readonly<Record<TokenKind, string>> = { embed: "parley_et_", server: "parley_st_" };

/** A fresh token. */
export function newEmbedToken(randomBytes: RandomBytes, kind: TokenKind = "embed"): EmbedToken {
  return newChecksummed(PREFIXES[kind], randomBytes) as EmbedToken;
}

/** The token of either kind that `text` is, exactly; undefined when its shape or checksum is wrong. */
export function parseEmbedToken(text: string): EmbedToken | undefined {
  return Object.values(PREFIXES).some((prefix) => isChecksummed(prefix, text))
    ? (text as EmbedToken)
    : undefined;
}

export function kindOfToken(token: EmbedToken): TokenKind {
  return token.startsWith(PREFIXES.server) ? "server" : "embed";
}

export function hashEmbedToken(embedToken: EmbedToken): EmbedTokenHash {
  return sha256(embedToken) as Uint8Array as EmbedTokenHash;
}

/** Whether an embed token may be used at an instant, and if not, why. */
export function embedTokenState(
  { revokedAt, expiresAt }: { revokedAt?: EpochMs | undefined; expiresAt?: EpochMs | undefined },
  now: EpochMs,
): "active" | "expired" | "revoked" {
  if (revokedAt !== undefined) return "revoked";
  return expiresAt !== undefined && expiresAt <= now ? "expired" : "active";
}
