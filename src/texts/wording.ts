import type { TextKey } from "../domain/texts.ts";

/** What a bot says by itself, and what its widget greets with, in one language. `{botName}` stands for its name. */
export type Wording = Readonly<Record<TextKey | "welcomeMessage", string>>;
