import { type ComponentChildren, h } from "preact";

import { useAction } from "../use-action.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Sentence } from "./sentence.tsx";

interface ConfirmProps {
  /** The question. */
  title: string;
  /** The consequences. */
  children: ComponentChildren;
  /** Further lines below. */
  list?: readonly string[];
  /** Label of the confirming button. */
  does: string;
  /** `primary`: the action destroys nothing. */
  kind?: "erase" | "primary";
  /** Begins the message of a failure, as `Not deleted`. */
  fault: string;
  /** Carries out the action, once; the dialog closes when it has ended. */
  onConfirm: () => unknown;
  onClose: () => void;
}

/** Asks before an action that cannot be undone. Enter cancels. */
export function Confirm({
  title,
  children,
  list = [],
  does,
  kind = "erase",
  fault,
  onConfirm,
  onClose,
}: ConfirmProps) {
  const confirming = useAction(async () => {
    try {
      await onConfirm();
    } finally {
      onClose();
    }
  }, fault);
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      {list.length > 0 && (
        <ul class="asked-about">
          {list.map((line) => (
            <li key={line}>
              <Sentence text={line} />
            </li>
          ))}
        </ul>
      )}
      <div class="actions">
        <span class="end" />
        <Button onClick={onClose} autofocus>
          Cancel
        </Button>
        <Button kind={kind} onClick={confirming.run} disabled={confirming.isBusy}>
          {does}
        </Button>
      </div>
    </Dialog>
  );
}
