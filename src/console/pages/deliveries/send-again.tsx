import { h } from "preact";

import type { DeliveryRow } from "../../../domain/operator/handoffs.ts";
import { Confirm } from "../../parts/confirm.tsx";

interface SendAgainProps {
  delivery: DeliveryRow;
  onClose: () => void;
  onSend: () => Promise<void>;
}

/** Asks before sending again what has already arrived, because it cannot be recalled. */
export function SendAgainDialog({ delivery: { channel, target, id }, onClose, onSend }: SendAgainProps) {
  return (
    <Confirm
      title="Send it a second time?"
      does="Send it again"
      kind="primary"
      fault="Not sent again"
      onConfirm={onSend}
      onClose={onClose}
    >
      <bdi>{target}</bdi> already received it.{" "}
      {channel === "webhook" ? (
        <span>
          The second copy has the same <code>webhook-id</code>, <code>{id}</code>, so that a receiver can
          recognise it.
        </span>
      ) : (
        "The mailbox gets the e-mail twice."
      )}
    </Confirm>
  );
}
