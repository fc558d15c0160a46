import { type ComponentChildren, h } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

import { useAction } from "../use-action.ts";
import { Button } from "./button.tsx";
import { Fault } from "./states.tsx";

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
  /** What a failure means, as `No key was created`. */
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
