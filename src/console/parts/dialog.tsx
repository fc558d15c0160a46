import { type ComponentChildren, h } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

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
