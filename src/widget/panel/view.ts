import type { Session } from "../conversation/session.ts";
import type { ParleyMessage } from "../public.d.ts";
import type { Shell } from "../shell.ts";
import type { Strings } from "../strings/en.ts";

/** What has to do with people, drawn into the slots of the messages. */
export interface People {
  /** Call after drawing the messages. */
  readonly draw: () => void;
  readonly destroy: () => void;
}

/** Everything the panel draws from. The whole of it is drawn again after each change. */
export interface PanelView {
  readonly shell: Shell;
  readonly session: Session;
  readonly strings: Strings;
  /** What times and numbers are written for, as `formatsOf` says. */
  readonly formats: string;
  /** A string with its gaps filled; `{bot}` is known. */
  readonly words: (key: keyof Strings, values?: Readonly<Record<string, string>>) => string;
  readonly draw: () => void;
  /** Puts the cursor into the input; on a touch screen only the focus into the panel, because the keyboard would cover half of it. */
  readonly focusInput: () => void;
  /** Sends a text as the visitor's, and leaves the cursor in the input. */
  readonly ask: (text: string) => void;
  /** What the visitor is writing. */
  draft: string;
  /** A message that was refused for good, while the composer has its text. */
  returned?: ParleyMessage | undefined;
  /** How many messages, counted from the last, are drawn. */
  shown: number;
  /** Earlier messages are being added, which a screen reader should not announce as new. */
  growing: boolean;
  /** The end of the conversation is out of sight. */
  away: boolean;
  /** The bot has been writing for a while. */
  slow: boolean;
  /** What a screen reader hears besides the answers. */
  said: string;
  input: HTMLTextAreaElement | null;
  /** What scrolls. */
  scroll: HTMLElement | null;
  /** In a template, by message: the element that it draws for what has to do with people. The panel has one for each message it shows. */
  readonly turns?: ReadonlyMap<string, HTMLElement>;
}

/** `17 s`, `2 min`: in the visitor's language. */
export function formatDuration(milliseconds: number, language: string): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const [value, unit] = seconds < 120 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(value);
}

/** When the message that came too soon is sent, as a sentence. */
export function limitSentence(view: PanelView, until: number): string {
  return view.words("limited", { time: formatDuration(until - Date.now(), view.formats) });
}
