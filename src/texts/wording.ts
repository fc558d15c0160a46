import type { TextKey } from "../domain/texts.ts";

/** Built-in texts of a bot and its widget's greeting in one language. `{botName}` is replaced by its name. */
export type Wording = Readonly<Record<TextKey | "welcomeMessage", string>>;
