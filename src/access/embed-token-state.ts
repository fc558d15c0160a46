import type { EpochMs } from "../domain/time.ts";

/** Whether an embed token may be used at an instant, and if not, why. */
export function embedTokenState(
  { revokedAt, expiresAt }: { revokedAt?: EpochMs | undefined; expiresAt?: EpochMs | undefined },
  now: EpochMs,
): "active" | "expired" | "revoked" {
  if (revokedAt !== undefined) return "revoked";
  return expiresAt !== undefined && expiresAt <= now ? "expired" : "active";
}
