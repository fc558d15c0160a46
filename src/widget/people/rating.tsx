import { h } from "preact";

import type { ParleyMessage } from "../public.d.ts";
import { type PeopleContext, type RatingState, replaced } from "./context.ts";
import { isPassedOn } from "./events.ts";

const UP = "M7 11v9H4v-9zm0 0 4-7a2 2 0 0 1 2 2v4h5a2 2 0 0 1 2 2l-1 6a2 2 0 0 1-2 2H7";
const DOWN = "M7 13V4H4v9zm0 0 4 7a2 2 0 0 0 2-2v-4h5a2 2 0 0 0 2-2l-1-6a2 2 0 0 0-2-2H7";
/** Maximum length by the schema FeedbackRequest, in characters. */
const MAX_REASON_LENGTH = 1000;

interface RatingProps {
  people: PeopleContext;
  message: ParleyMessage;
}

/** Whether the service can find the answer again: complete answers of the bot. */
export const mayRate = (message: ParleyMessage): boolean =>
  message.role === "bot" && message.requestId !== undefined && !message.stopped && !isPassedOn(message);

/** Rating buttons beside the copy button. */
export function Thumbs({ people, message }: RatingProps) {
  const state = people.ratings.get(message.id);
  const given = state && state.step !== "failed" ? state.rating : message.rating;
  const thumb = (rating: "up" | "down", label: string, path: string) => (
    <button
      type="button"
      class="copy"
      aria-label={label}
      title={label}
      aria-pressed={given === rating}
      onClick={() => void rate({ people, message }, rating)}
    >
      <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
        <path d={path} />
      </svg>
    </button>
  );
  return (
    <span class="thumbs">
      {thumb("up", people.words("helpful"), UP)}
      {thumb("down", people.words("notHelpful"), DOWN)}
    </span>
  );
}

/** Below the answer: the state of its rating. */
export function RatingNote(props: RatingProps) {
  const { people, message } = props;
  const state = people.ratings.get(message.id);
  if (state?.step === "failed") {
    const again = () => void rate(props, state.rating, state.reason);
    return (
      <p class="aside note" role="status">
        {people.words("notSaved")}{" "}
        <button type="button" class="text-button" onClick={again}>
          {people.view.words("tryAgain")}
        </button>
      </p>
    );
  }
  if (state?.step === "why") return <Why {...props} state={state} />;
  return (
    <p class="aside note" role="status">
      {state?.step === "thanked" && people.words("thanks")}
    </p>
  );
}

function Why({ people, message, state }: RatingProps & { state: RatingState }) {
  const id = `why-${message.id}`;
  const submit = (event: Event) => {
    event.preventDefault();
    void rate({ people, message }, "down", state.reason.trim());
  };
  return (
    <form class="ask" aria-live="off" onSubmit={submit}>
      <label htmlFor={id}>{people.words("why")}</label>
      <div class="line">
        <input
          id={id}
          value={state.reason}
          maxLength={MAX_REASON_LENGTH}
          dir="auto"
          autocomplete="off"
          onInput={({ currentTarget }) => {
            state.reason = currentTarget.value;
          }}
        />
        <button class="do">{people.view.words("send")}</button>
      </div>
    </form>
  );
}

/** The last rating sent; the next one waits for it, so that the last one counts. */
let sending: Promise<unknown> = Promise.resolve();

async function rate({ people, message }: RatingProps, rating: "up" | "down", reason = ""): Promise<void> {
  const { ratings, view, service } = people;
  const { conversationId } = view.session.kept();
  if (conversationId === undefined) return;
  const become = (step: RatingState["step"]) => {
    ratings.set(message.id, { rating, step, reason });
    people.changed();
  };
  const hadReason = reason !== "";
  become("saving");
  const body = { conversationId, requestId: message.requestId!, rating, ...(hadReason && { reason }) };
  const saved = sending.then(() => service.rate(body));
  sending = saved;
  const isSaved = await saved;
  // The visitor has changed the rating meanwhile.
  if (ratings.get(message.id)?.rating !== rating) return;
  if (!isSaved) return become("failed");
  view.session.keep({ messages: replaced(view.session.messages(), message.id, { rating }) });
  become(rating === "up" || hadReason ? "thanked" : "why");
}
