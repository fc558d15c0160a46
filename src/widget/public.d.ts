/** Types of Parley's embeddable widget; published as `widget.d.ts` beside `widget.js`. */

export interface ParleyMetadata {
  capabilityAllowed: boolean;
  enforcementReason?: string;
  /** What the visitor may choose; a label that is sent selects its intent. */
  suggestions?: readonly { intent: string; label: string }[];
  /** Documents that the answer is taken from. */
  sources?: readonly { title: string; url?: string }[];
  /** Of answers of earlier versions: none of `sources` is sure to answer. */
  mayHelp?: true;
  /** What the visitor may ask next: `input` is sent. */
  next?: readonly { label: string; input: string }[];
  /** `offered`: the visitor may ask for a person; `live`: one has taken over, and `text` only says so. `fill` is what the form is filled in with. */
  handoff?: {
    state: "offered" | "live";
    fill?: { name?: string; email?: string; phone?: string; message?: string };
  };
  schemaEnforced: boolean;
  schemaFallbackUsed: boolean;
  schemaValidationError?: string;
}

export interface ParleyMessage {
  /** Of a visitor's message, also its `Idempotency-Key`. */
  readonly id: string;
  /** `operator`: a person of the site, whose text is plain; with `state`, that one has come or gone. */
  readonly role: "visitor" | "bot" | "operator";
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Answers only: the intent that the bot saw in the message. */
  readonly intentDetected?: string | undefined;
  /** Answers only. */
  readonly metadata?: ParleyMetadata;
  /** Answers only: names the request in the service's log. */
  readonly requestId?: string | undefined;
  /** Answers only: from sending to the complete answer. */
  readonly durationMs?: number;
  /** Answers only: the visitor stopped it, or it broke off; that one can be asked for again, and is replaced by the whole answer. */
  readonly stopped?: boolean;
  /** Answers only: what the visitor thinks of it. */
  readonly rating?: "up" | "down" | undefined;
  /** What is said while a person is there: its place in the conversation. */
  readonly number?: number;
  /** Operators only. */
  readonly name?: string;
  readonly state?: string;
  /** Messages only: refused for good, with this error code, so that no retry is offered. */
  readonly rejected?: string;
  /** Messages refused for their length only: how many characters would have been possible. */
  readonly maxLength?: number;
  /** Messages only: not sent, and others were sent since. It can be sent again, or deleted. */
  readonly unsent?: true;
}

/** What the conversation is doing about the visitor's last message. */
export type ParleyStatus =
  | { readonly kind: "idle" }
  | { readonly kind: "waiting" }
  | { readonly kind: "streaming"; readonly text: string }
  /** Too many messages: sent again by itself at `until` (milliseconds since 1970). */
  | { readonly kind: "limited"; readonly until: number }
  /** The bot's monthly cap is reached; `until` is the reset. */
  | { readonly kind: "capped"; readonly until: number }
  /** No network: sent once it is back. */
  | { readonly kind: "queued" }
  /** Not sent; `retry()` sends it again without being counted twice. */
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
  /** An answer that the bot's Capability Profile restricted. */
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
  /** Sends a message as the visitor; the panel need not be open. */
  readonly send: (text: string) => void;
  /** Forgets the conversation and its stored transcript. */
  readonly reset: () => void;
  /** Takes the widget off the page; nothing stays but a stored transcript. */
  readonly destroy: () => void;
  /** Returns a function that stops listening. */
  readonly on: <E extends keyof ParleyEvents>(
    event: E,
    listener: (payload: ParleyEvents[E]) => void,
  ) => () => void;
  /** Runs a call now; before the script has loaded, a plain array in `window.Parley` collects them. */
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

/** What a template's `mount(root, context)` gets. */
export interface ParleyTemplateContext {
  readonly config: ParleyConfig;
  /** `template.options` of the bot. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The widget's wording in the visitor's language. */
  readonly strings: Readonly<Record<string, string>>;
  /** The conversation as it is now. */
  readonly messages: readonly ParleyMessage[];
  readonly status: ParleyStatus;
  readonly send: (text: string) => void;
  /** Sends the last message again, or the one with this id that was not sent, under the same `Idempotency-Key`. */
  readonly retry: (id?: string) => void;
  /** Deletes a message that has no answer. */
  readonly remove: (id: string) => void;
  readonly stop: () => void;
  readonly reset: () => void;
  /** Does nothing where the panel is inline. */
  readonly close: () => void;
  /** The panel stands in the page (`data-container`) and cannot be closed; elsewhere the template draws the way out. */
  readonly inline: boolean;
  /** `change` fires whenever `messages` or `status` do. */
  readonly on: {
    (event: "change", listener: () => void): () => void;
    <E extends keyof ParleyEvents>(event: E, listener: (payload: ParleyEvents[E]) => void): () => void;
  };
  /** Markdown of an answer, or of the welcome message, as safe elements. */
  readonly renderMarkdown: (text: string) => HTMLElement;
  /** Buttons to offer under an answer: the labels of what the bot suggests. */
  readonly choicesOf: (message: ParleyMessage) => readonly string[];
  /**
   * What has to do with people, as an element that keeps itself up to date: thumbs and "Talk to a person" with its form below an answer,
   * what somebody says under their name, that somebody has come or gone. Without a message: the offer where the cap is reached.
   */
  readonly renderPeople: (message?: ParleyMessage) => HTMLElement;
}

/** Default export of a template bundle; what it returns is called when the panel goes away. */
export type ParleyTemplate = (root: HTMLElement, context: ParleyTemplateContext) => void | (() => void);

declare global {
  interface Window {
    Parley?: ParleyApi | ParleyCall[];
  }
}
