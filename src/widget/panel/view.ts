import type { Session } from "../conversation/session.ts";
import type { ParleyMessage } from "../public.d.ts";
import type { Shell } from "../shell.ts";
import type { Strings } from "../strings/en.ts";

/** Draws ratings, hand-off and operators' messages into the slots of the messages. */
export interface People {
  /** Call after drawing the messages. */
  readonly draw: () => void;
  readonly destroy: () => void;
}

/** State of the panel. After each change the whole panel is drawn again. */
export interface PanelView {
  readonly shell: Shell;
  readonly session: Session;
  readonly strings: Strings;
  /** Locale of times and numbers, from `formatsOf`. */
  readonly formats: string;
  /** A text with its placeholders filled in; `{bot}` always is. */
  readonly words: (key: keyof Strings, values?: Readonly<Record<string, string>>) => string;
  readonly draw: () => void;
  /** Focuses the input; on a touch screen the panel instead, because the keyboard would cover half of it. */
  readonly focusInput: () => void;
  /** Sends a text as the visitor and focuses the input. */
  readonly ask: (text: string) => void;
  /** Text in the composer. */
  draft: string;
  /** A rejected message whose text is back in the composer. */
  returned?: ParleyMessage | undefined;
  /** Number of messages drawn, counted from the last. */
  shown: number;
  /** Earlier messages are being added; a screen reader must not announce them as new. */
  growing: boolean;
  /** The end of the conversation is scrolled out of view. */
  away: boolean;
  /** The answer is taking long. */
  slow: boolean;
  /** Announcement for screen readers besides the answers. */
  said: string;
  input: HTMLTextAreaElement | null;
  /** The scrolling element. */
  scroll: HTMLElement | null;
  /** In a template: its element for ratings and hand-off, by message. The default panel has one in each message. */
  readonly turns?: ReadonlyMap<string, HTMLElement>;
}

/** `17 s`, `2 min`: in the visitor's language. */
export function formatDuration(milliseconds: number, language: string): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const [value, unit] = seconds < 120 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(value);
}

/** Tells when the rate-limited message will be sent. */
export function limitSentence(view: PanelView, until: number): string {
  return view.words("limited", { time: formatDuration(until - Date.now(), view.formats) });
}
