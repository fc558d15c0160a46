import { type ComponentChildren, h } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

import { useAction } from "../use-action.ts";
import { Button } from "./button.tsx";
import { Fault } from "./states.tsx";
import { Sentence } from "./text.tsx";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  isWide?: boolean;
}

/** A dialog. Escape closes it; the focus returns to where it was. */
export function Dialog({ title, onClose, children, isWide = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const focused = document.activeElement as HTMLElement | null;
    const own = dialog.current!;
    own.showModal();
    return () => {
      const now = document.activeElement;
      // If the focus has moved elsewhere in the meantime, it stays there.
      if (now === document.body || own.contains(now)) focused?.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} class={isWide ? "wide" : undefined} aria-labelledby={id} onClose={onClose}>
      <div class="section">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

interface FormDialogProps {
  title: string;
  /** Consequence of a failure, such as `No key was created`. */
  fault: string;
  /** Label of the button that submits. */
  does: string;
  /** Everything that is needed is filled in. */
  isReady: boolean;
  /** Submits, once at a time. A failure is shown above the fields, and the dialog stays. */
  onSubmit: () => unknown;
  onClose: () => void;
  children: ComponentChildren;
}

/** A form in a dialog. */
export function FormDialog({ title, fault, does, isReady, onSubmit, onClose, children }: FormDialogProps) {
  const submitting = useAction(onSubmit);
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="section"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) submitting.run();
        }}
      >
        {submitting.problem && <Fault what={fault} problem={submitting.problem} />}
        {children}
        <div class="actions">
          <span class="end" />
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={!isReady || submitting.isBusy}>
            {does}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

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
