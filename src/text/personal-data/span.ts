/** A position in a text: UTF-16 code units, `end` exclusive. */
export interface Span {
  start: number;
  end: number;
}
