import type { PanelView } from "../panel/view.ts";
import type { ParleyMessage } from "../public.d.ts";
import type { PeopleStrings } from "../strings/people/en.ts";
import type { Service } from "./service.ts";

/** What everything that is drawn here needs. */
export interface PeopleContext {
  readonly view: PanelView;
  readonly service: Service;
  readonly words: (key: keyof PeopleStrings, values?: Readonly<Record<string, string>>) => string;
  /** Draws again what has to do with people. */
  readonly changed: () => void;
  /** Draws again, and puts the focus on what the selector finds. */
  readonly focus: (selector: string) => void;
  /** By message: what the visitor does about its rating. */
  readonly ratings: Map<string, RatingState>;
  /** The form, while it is open. */
  form: FormState | undefined;
}

export interface RatingState {
  readonly rating: "up" | "down";
  readonly step: "saving" | "why" | "failed" | "thanked";
  reason: string;
}

/** What may be wrong with a field. */
export type FieldName = "name" | "email" | "phone" | "message";

export interface FormState {
  /** Message below which it stands; undefined where the cap was reached. */
  readonly at: string | undefined;
  readonly values: Partial<Record<FieldName, string>>;
  shares: boolean;
  sending: boolean;
  /** Why it was not taken, as a sentence; empty where it was not sent yet. */
  fault: string;
  errors: Partial<Record<FieldName, "needsContact" | "badEmail">>;
  /** The body that a key was used for: another one needs another. */
  sent?: { readonly body: string; readonly key: string };
}

/** A message as it is after a change. */
export function replaced(
  messages: readonly ParleyMessage[],
  id: string,
  change: Partial<ParleyMessage>,
): readonly ParleyMessage[] {
  return messages.map((message) => (message.id === id ? { ...message, ...change } : message));
}
