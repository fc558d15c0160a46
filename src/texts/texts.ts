import type { TextKey } from "../domain/texts.ts";

/** What a bot says by itself, in one language: `{botName}`, `{choice}`, `{choices}` and `{rest}` are filled in. */
export type Texts = Readonly<Record<TextKey, string>>;
