/** Types of Parley's embeddable widget; published as `widget.d.ts` beside `widget.js`. */

export interface ParleyMetadata {
  capabilityAllowed: boolean;
  enforcementReason?: string;
  /** Intents that the visitor can choose from; sending a label selects its intent. */
  suggestions?: readonly { intent: string; label: string }[];
  /** Documents that the answer was taken from. */
  sources?: readonly { title: string; url?: string }[];
  /** Suggested next questions: a button shows `label` and sends `input`. */
  next?: readonly { label: string; input: string }[];
  /** `offered`: the visitor may ask for a person; `live`: an operator has taken over, and `text` only says so. `fill` prefills the form. */
  handoff?: {
    state: "offered" | "live";
    fill?: { name?: string; email?: string; phone?: string; message?: string };
  };
  schemaEnforced: boolean;
  schemaFallbackUsed: boolean;
  schemaValidationError?: string;
}

export interface ParleyMessage {
  /** Of a visitor's message, this is also its `Idempotency-Key`. */
  readonly id: string;
  /** `operator`: a person who answers for the site, in plain text; with `state`, the message says that they joined or left. */
  readonly role: "visitor" | "bot" | "operator";
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Answers only: the intent of the visitor's message. */
  readonly intentDetected?: string | undefined;
  /** Answers only. */
  readonly metadata?: ParleyMetadata;
  /** Answers only: the request's id in the service's log. */
  readonly requestId?: string | undefined;
  /** Answers only: time from sending to the complete answer. */
  readonly durationMs?: number;
  /** Answers only: the visitor stopped it, or the connection broke. A broken answer can be retried; the complete answer replaces it. */
  readonly stopped?: boolean;
  /** Answers only: the visitor's rating. */
  readonly rating?: "up" | "down" | undefined;
  /** Number of the message in the conversation, once an operator takes part. */
  readonly number?: number;
  /** Operators only. */
  readonly name?: string;
  readonly state?: string;
  /** Visitors' messages only: rejected with this error code; no retry is offered. */
  readonly rejected?: string;
  /** Visitors' messages rejected for their length only: the maximum length in characters. */
  readonly maxLength?: number;
  /** Visitors' messages only: not sent, while later ones were. It can be sent again or deleted. */
  readonly unsent?: true;
}

/** Status of the visitor's last message. */
export type ParleyStatus =
  | { readonly kind: "idle" }
  | { readonly kind: "waiting" }
  | { readonly kind: "streaming"; readonly text: string }
  /** Rate limit reached: sent again automatically at `until` (milliseconds since 1970). */
  | { readonly kind: "limited"; readonly until: number }
  /** The bot's monthly cap is reached; it resets at `until` (milliseconds since 1970). */
  | { readonly kind: "capped"; readonly until: number }
  /** Offline: sent when the network is back. */
  | { readonly kind: "queued" }
  /** Not sent; `retry()` sends it again, and it is counted once. */
  | { readonly kind: "unreachable" }
  | { readonly kind: "failed"; readonly code: string; readonly requestId?: string | undefined };

export interface ParleyError {
  readonly code: string;
  readonly message: string;
  readonly requestId?: string | undefined;
}

export interface ParleyEvents {
  ready: undefined;
  open: undefined;
  close: undefined;
  message: ParleyMessage;
  /** An answer that the bot's capability profile restricted. */
  restricted: ParleyMessage;
  error: ParleyError;
}

export type ParleyCall =
  | ((parley: ParleyApi) => void)
  | readonly ["open" | "close" | "toggle" | "reset" | "destroy"]
  | readonly ["send", string];

export interface ParleyApi {
  readonly open: () => void;
  readonly close: () => void;
  readonly toggle: () => void;
  /** Sends a message as the visitor, also while the panel is closed. */
  readonly send: (text: string) => void;
  /** Deletes the conversation and its stored transcript. */
  readonly reset: () => void;
  /** Removes the widget from the page; only a stored transcript remains. */
  readonly destroy: () => void;
  /** Returns a function that stops listening. */
  readonly on: <E extends keyof ParleyEvents>(
    event: E,
    listener: (payload: ParleyEvents[E]) => void,
  ) => () => void;
  /** Runs calls at once. Before the script has loaded, `window.Parley` may be an array that collects calls. */
  readonly push: (...calls: ParleyCall[]) => void;
}

export interface ParleyConfig {
  readonly botName: string;
  /** Markdown, as in answers. */
  readonly welcomeMessage: string;
  readonly runtimeEndpoint: string;
  readonly cdnUrl: string;
  readonly poweredByRequired: boolean;
  readonly theme?: Readonly<Record<string, unknown>>;
  readonly suggestedQuestions: readonly {
    readonly id: string;
    readonly text: string;
    readonly order: number;
  }[];
  readonly suggestedQuestionsStyle: "pills" | "message_box";
  readonly avatarUrl?: string;
  readonly tagline?: string;
  /** Markdown. */
  readonly legal?: string;
  readonly launcher?: { readonly label?: string; readonly icon?: "chat" | "avatar" };
  readonly template?: { readonly id: string; readonly bundleUrl: string; readonly options?: object };
}

/** Second argument of a template's `mount(root, context)`. */
export interface ParleyTemplateContext {
  readonly config: ParleyConfig;
  /** The bot's `template.options`. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The widget's texts in the visitor's language. */
  readonly strings: Readonly<Record<string, string>>;
  /** All messages of the conversation. */
  readonly messages: readonly ParleyMessage[];
  readonly status: ParleyStatus;
  readonly send: (text: string) => void;
  /** Sends the last message again, or the unsent one with this id, with the same `Idempotency-Key`. */
  readonly retry: (id?: string) => void;
  /** Deletes a message without an answer. */
  readonly remove: (id: string) => void;
  readonly stop: () => void;
  readonly reset: () => void;
  /** Closes the panel; no effect on an inline one. */
  readonly close: () => void;
  /** The panel is part of the page (`data-container`) and cannot be closed. Otherwise the template draws a close button. */
  readonly inline: boolean;
  /** `change` is emitted when `messages` or `status` change. */
  readonly on: {
    (event: "change", listener: () => void): () => void;
    <E extends keyof ParleyEvents>(event: E, listener: (payload: ParleyEvents[E]) => void): () => void;
  };
  /** Renders the Markdown of an answer or of the welcome message; the result is safe to insert. */
  readonly renderMarkdown: (text: string) => HTMLElement;
  /** Labels of the buttons to show below an answer. */
  readonly choicesOf: (message: ParleyMessage) => readonly string[];
  /**
   * An element that updates itself: below an answer its rating buttons and "Talk to a person" with the form; an operator's message with
   * the name; a line when an operator joins or leaves. Without a message: the offer of a person while the monthly cap is reached.
   */
  readonly renderPeople: (message?: ParleyMessage) => HTMLElement;
}

/** Default export of a template bundle; the returned function is called when the panel is removed. */
export type ParleyTemplate = (root: HTMLElement, context: ParleyTemplateContext) => void | (() => void);

declare global {
  interface Window {
    Parley?: ParleyApi | ParleyCall[];
  }
}
