import { type ComponentChildren, h } from "preact";

import { useOnce } from "../use-once.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Sentence } from "./sentence.tsx";

interface ConfirmProps {
  /** The question. */
  title: string;
  /** What comes of it. */
  children: ComponentChildren;
  /** Below that, line by line. */
  list?: readonly string[];
  /** What the button that does it says. */
  does: string;
  /** `primary`: nothing is lost by it. */
  kind?: "erase" | "primary";
  /** Does it; what it returns is waited for, so that it is done once. */
  onConfirm: () => unknown;
  onClose: () => void;
}

/** Asks before something that cannot be taken back. Whoever just goes on cancels. */
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
