/** Marks with which chat templates tell the speakers apart; some servers read them inside a message too. */
const MARKERS = /<(?=\|[^|<>]{1,40}\|>|\/?s>|<\/?SYS>>|(?:start|end)_of_turn>)|\[(?=\/?INST\])/gi;

/** Text that nobody's chat template can mistake for the end of a message: a space is put into such marks. */
export function withoutTemplateMarkers(text: string): string {
  return text.replace(MARKERS, "$& ");
}
