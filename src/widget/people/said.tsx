import { h } from "preact";

import type { ParleyMessage } from "../public.d.ts";
import type { PeopleContext } from "./context.ts";

/** An operator's message in plain text with the name; or a note that an operator joined or left. */
export function Said({ people, message }: { people: PeopleContext; message: ParleyMessage }) {
  const name = message.name ?? "";
  if (message.state !== undefined) {
    return <p class="day state">{stateText(people, message.state, name)}</p>;
  }
  return (
    <div class="person" dir="auto">
      <b>
        <bdi>{name}</bdi>
        <span class="unseen">:</span>
      </b>
      <p>{message.text}</p>
    </div>
  );
}

function stateText({ words }: PeopleContext, state: string, name: string): string {
  if (state === "live") return words("here", { name });
  return words(state === "closed" ? "closed" : "botAgain");
}
