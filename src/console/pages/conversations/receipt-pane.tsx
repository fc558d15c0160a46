import { h } from "preact";

import type { ConversationDetails, ConversationTurn } from "../../../domain/operator/conversations.ts";
import { ask } from "../../api/client.ts";
import { useResource } from "../../api/resource.ts";
import { useKeys } from "../../keys.ts";
import { Read } from "../../parts/states.tsx";
import { type Fact, Receipt } from "../../receipt/receipt.tsx";
import { go, withQuery } from "../../router.ts";
import { milliseconds } from "../../words/numbers.ts";
import { tookOf } from "./turn.tsx";

interface PaneProps {
  conversation: ConversationDetails;
  chosen: number;
}

/** The receipt of the selected message. */
export function ReceiptPane({ conversation, chosen }: PaneProps) {
  const { turns, bot } = conversation;
  const turn = turns[chosen - 1]!;
  const view = useResource(turn.requestId, (signal) =>
    ask("GET /turns/:requestId/explanation", { path: { requestId: turn.requestId } }, { signal }),
  );
  const step = (by: number) => {
    const next = chosen + by;
    return next >= 1 && next <= turns.length && go(withQuery({ turn: next }), { replace: true });
  };
  useKeys([
    { key: "ArrowLeft", says: "previous message", run: () => step(-1) },
    { key: "ArrowRight", says: "next message", run: () => step(1) },
  ]);
  return (
    <section class="pane quiet" aria-labelledby="h-receipt" tabIndex={0}>
      <div class="pane-head">
        <h2 id="h-receipt">Receipt</h2>
        <span class="end small faint">
          message {chosen} of {turns.length} <kbd>←</kbd> <kbd>→</kbd>
        </span>
      </div>
      <Read what="the receipt" from={view}>
        {(data) => <Receipt view={data} text={turn.input} facts={factsOf(turn)} />}
      </Read>
      {turn.input !== undefined && (
        <div class="actions">
          <a class="btn" href={`/try/${encodeURIComponent(bot)}?${new URLSearchParams({ q: turn.input })}`}>
            Try it again
          </a>
        </div>
      )}
    </section>
  );
}

function factsOf(turn: ConversationTurn): Fact[] {
  const stages = Object.entries(turn.receipt.stagesMs).map(([stage, ms]) => `${stage} ${ms.toFixed(2)}`);
  const took = tookOf(turn);
  return [
    ["Version", turn.botVersion],
    ["Took", `${milliseconds(took)}${stages.length > 0 ? `: ${stages.join(", ")}` : ""}`],
    ["Request", <code key="id">{turn.requestId}</code>],
  ];
}
