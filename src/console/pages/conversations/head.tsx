import { h } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { addressOf } from "../../api/client.ts";
import { Swatch } from "../../parts/badge.tsx";
import { GuardedButton, whyOff } from "../../parts/button.tsx";
import { Select } from "../../parts/fields.tsx";
import { Icon } from "../../parts/icon.tsx";
import { BotSelect, Chip } from "../../parts/page-head.tsx";
import { go, withQuery } from "../../router.ts";
import { sayFault } from "../../toasts.ts";
import { OUTCOME_WORDS, OUTCOMES, RATING_WORDS, RATINGS } from "../../words/outcomes.ts";
import { type Filters, parseSearch, queryOf, spanOptions } from "./filters.ts";

/** The list is read again after a pause of this length in typing. */
const TYPING_MS = 300;

/** Search field for words and for `intent:`, `decision:` and `rating:` filters. */
export function SearchField({ filters }: { filters: Filters }) {
  const [typed, setTyped] = useState(filters.q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const sought = useRef(filters.q);
  useEffect(() => {
    // The field already shows this search, with its spaces, and more may have been typed since.
    if (filters.q === sought.current) return;
    clearTimeout(timer.current);
    sought.current = filters.q;
    setTyped(filters.q);
  }, [filters.q]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = (text: string) => {
    clearTimeout(timer.current);
    const { q, intent, decision, rating, fault } = parseSearch(text);
    if (fault !== undefined) return sayFault(fault);
    const filtered = { ...(intent && { intent }), ...(decision && { decision }), ...(rating && { rating }) };
    sought.current = q;
    // Completed filters move from the field to the line below; typing continues after the words.
    if (Object.keys(filtered).length > 0) setTyped(q === "" ? q : `${q} `);
    go(withQuery({ q, ...filtered }), { replace: true });
  };
  return (
    <form
      class="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        search(typed);
      }}
    >
      <Icon name="search" />
      <input
        class="input"
        type="search"
        data-search
        aria-label="Search messages"
        placeholder="Search messages, or filter: intent:orders.* decision:refused"
        value={typed}
        onInput={(event) => {
          const { value } = event.currentTarget;
          setTyped(value);
          clearTimeout(timer.current);
          // An unfinished filter is not searched for as a word.
          if (!/(?:^|\s)(?:intent|decision|rating):\S*$/.test(value))
            timer.current = setTimeout(() => search(value), TYPING_MS);
        }}
      />
      <kbd>/</kbd>
    </form>
  );
}

/** The active filters. */
export function FilterLine({ filters }: { filters: Filters }) {
  const toggle = (decision: string) =>
    go(withQuery({ decision: filters.decision === decision ? "" : decision }));
  return (
    <div class="page-head filter-line">
      <div class="filters" role="group" aria-label="Filters" tabIndex={0}>
        <BotSelect value={filters.bot} onChange={(bot) => go(withQuery({ bot }))} />
        <Select
          label="Time"
          value={filters.from}
          options={spanOptions(filters.from)}
          onChange={(from) => go(withQuery({ from }))}
        />
        {OUTCOMES.map((outcome) => (
          <Chip key={outcome} on={filters.decision === outcome} onClick={() => toggle(outcome)}>
            <Swatch outcome={outcome} />
            {OUTCOME_WORDS[outcome]}
          </Chip>
        ))}
        {RATINGS.map((rating) => (
          <Chip
            key={rating}
            on={filters.rating === rating}
            onClick={() => go(withQuery({ rating: filters.rating === rating ? "" : rating }))}
          >
            {RATING_WORDS[rating]}
          </Chip>
        ))}
        {filters.intent !== "" && (
          <Chip on onClick={() => go(withQuery({ intent: undefined }))}>
            <code class="intent">{filters.intent}</code> <span aria-hidden="true">×</span>
            <span class="vh">remove the filter</span>
          </Chip>
        )}
      </div>
    </div>
  );
}

/** Link that exports the list as JSON Lines. */
export function ExportLink({ filters }: { filters: Filters }) {
  if (whyOff("conversations.export") !== undefined) {
    return <GuardedButton permission="conversations.export">Export JSONL</GuardedButton>;
  }
  const query = { ...queryOf(filters, Date.now()) };
  const address = addressOf("GET /conversations", { query }).replace(
    "/conversations",
    "/conversations/export",
  );
  return (
    <a class="btn no-phone" href={address} download="conversations.jsonl">
      Export JSONL
    </a>
  );
}
