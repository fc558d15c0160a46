import { hashEmbedToken, newEmbedToken } from "../access/embed-token.ts";
import {
  type BotId,
  type EmbedToken,
  type EmbedTokenId,
  type RandomBytes,
  newEmbedTokenId,
} from "../domain/ids.ts";
import type { EpochMs, Now } from "../domain/time.ts";
import type { Store } from "../store/interface/store.ts";

export interface EmbedTokenGrant {
  /** Bots that exist. */
  botIds: readonly BotId[];
  label?: string;
  /** Absent: never. */
  expiresAt?: EpochMs;
}

/** An embed token as it is shown, this once: only its hash is stored. */
export interface IssuedEmbedToken extends EmbedTokenGrant {
  id: EmbedTokenId;
  embedToken: EmbedToken;
}

export async function issueEmbedToken(
  { embedTokens }: Pick<Store, "embedTokens">,
  { now, randomBytes }: { now: Now; randomBytes: RandomBytes },
  grant: EmbedTokenGrant,
): Promise<IssuedEmbedToken> {
  const id = newEmbedTokenId(now(), randomBytes);
  const embedToken = newEmbedToken(randomBytes);
  await embedTokens.create({ id, hash: hashEmbedToken(embedToken), ...grant });
  return { id, embedToken, ...grant };
}
