/**
 * Puts a text on the clipboard. Over plain http, browsers have no `navigator.clipboard`, and copy only what is selected.
 *
 * @returns false where the browser does not let it.
 */
export async function copyText(text: string): Promise<boolean> {
  // The types say that it is always there.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  try {
    if (clipboard !== undefined) {
      await clipboard.writeText(text);
      return true;
    }
  } catch {
    // Forbidden, or the page has lost the focus: a selection may still be copied.
  }
  return copySelected(text);
}

function copySelected(text: string): boolean {
  const focused = document.activeElement as HTMLElement | null;
  const field = document.createElement("textarea");
  field.className = "vh";
  // Otherwise runs of spaces are copied as one.
  field.style.whiteSpace = "pre";
  field.value = text;
  field.readOnly = true;
  // What stands outside of an open dialog cannot be selected.
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  try {
    return document.execCommand("copy");
  } finally {
    field.remove();
    focused?.focus({ preventScroll: true });
  }
}
