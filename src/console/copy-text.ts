/**
 * Copies a text to the clipboard. Over plain HTTP browsers have no `navigator.clipboard`; there the text is selected and copied with
 * `execCommand`.
 *
 * @returns false if the browser does not allow it.
 */
export async function copyText(text: string): Promise<boolean> {
  // The types declare it as always present.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  try {
    if (clipboard !== undefined) {
      await clipboard.writeText(text);
      return true;
    }
  } catch {
    // Forbidden, or the page has lost the focus. Copying a selection may still work.
  }
  return copySelected(text);
}

function copySelected(text: string): boolean {
  const focused = document.activeElement as HTMLElement | null;
  const field = document.createElement("textarea");
  field.className = "vh";
  // Otherwise several spaces are copied as one.
  field.style.whiteSpace = "pre";
  field.value = text;
  field.readOnly = true;
  // While a dialog is open, only its content can be selected.
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  try {
    return document.execCommand("copy");
  } finally {
    field.remove();
    focused?.focus({ preventScroll: true });
  }
}
