import { hashEmbedToken, newEmbedToken, type TokenKind } from "../access/secrets.ts";
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
  /** Ids of existing bots. */
  botIds: readonly BotId[];
  /** Default: for pages. */
  kind?: TokenKind;
  label?: string;
  /** Absent: never. */
  expiresAt?: EpochMs;
}

/** A new embed token. Only its hash is stored, so this is the only time it is readable. */
export interface IssuedEmbedToken extends EmbedTokenGrant {
  id: EmbedTokenId;
  embedToken: EmbedToken;
}

export async function issueEmbedToken(
  { embedTokens }: Pick<Store, "embedTokens">,
  { now, randomBytes }: { now: Now; randomBytes: RandomBytes },
  { kind = "embed", ...grant }: EmbedTokenGrant,
): Promise<IssuedEmbedToken> {
  const id = newEmbedTokenId(now(), randomBytes, kind);
  const embedToken = newEmbedToken(randomBytes, kind);
  await embedTokens.create({ id, hash: hashEmbedToken(embedToken), ...grant });
  return { id, embedToken, ...grant };
}
