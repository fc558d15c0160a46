import type { PanelView } from "../panel/view.ts";
import type { ParleyMessage } from "../public.d.ts";
import type { PeopleStrings } from "../strings/people/en.ts";
import type { Service } from "./service.ts";

/** State and functions of the people chunk: ratings, hand-off and operators' messages. */
export interface PeopleContext {
  readonly view: PanelView;
  readonly service: Service;
  readonly words: (key: keyof PeopleStrings, values?: Readonly<Record<string, string>>) => string;
  /** Draws this chunk's elements again. */
  readonly changed: () => void;
  /** Draws again and focuses the element that the selector finds. */
  readonly focus: (selector: string) => void;
  /** Ratings in progress, by message id. */
  readonly ratings: Map<string, RatingState>;
  /** The form while it is open. */
  form: FormState | undefined;
}

export interface RatingState {
  readonly rating: "up" | "down";
  readonly step: "saving" | "why" | "failed" | "thanked";
  reason: string;
}

/** Fields of the form, which faults name. */
export type FieldName = "name" | "email" | "phone" | "message";

export interface FormState {
  /** Id of the message above it; undefined for the offer at the cap. */
  readonly at: string | undefined;
  readonly values: Partial<Record<FieldName, string>>;
  shares: boolean;
  sending: boolean;
  /** Sentence that tells why the service did not take it; empty before. */
  fault: string;
  errors: Partial<Record<FieldName, "needsContact" | "badEmail">>;
  /** The body sent with a key; a changed body needs a new key. */
  sent?: { readonly body: string; readonly key: string };
}

/** Messages with one of them changed. */
export function replaced(
  messages: readonly ParleyMessage[],
  id: string,
  change: Partial<ParleyMessage>,
): readonly ParleyMessage[] {
  return messages.map((message) => (message.id === id ? { ...message, ...change } : message));
}
