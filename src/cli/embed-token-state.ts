import type { EpochMs } from "../domain/time.ts";
import type { StoredEmbedToken } from "../store/embed-tokens.ts";

/** Whether a token may be used at an instant, and if not, why. */
export function embedTokenState(
  { revokedAt, expiresAt }: StoredEmbedToken,
  now: EpochMs,
): "active" | "expired" | "revoked" {
  if (revokedAt !== undefined) return "revoked";
  return expiresAt !== undefined && expiresAt <= now ? "expired" : "active";
}
