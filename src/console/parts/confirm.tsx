import { type ComponentChildren, h } from "preact";

import { useOnce } from "../use-once.ts";
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
  /** Carries out the action, once: the button is off until the promise settles. */
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
  onConfirm,
  onClose,
}: ConfirmProps) {
  const confirming = useOnce(async () => {
    await onConfirm();
  });
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
