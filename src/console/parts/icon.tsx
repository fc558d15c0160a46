import { h } from "preact";

import type { Outcome } from "../../domain/operator/overview.ts";

/** Strokes on a square of 16. */
const STROKES = {
  overview: "M2.5 13.5h11M4.5 13.5v-4M8 13.5v-10M11.5 13.5v-6",
  improve: "M3 8.5l3-3 3 3 4-5M9.8 3.5H13v3.2M3 12.5h10",
  talk: "M2.5 4.5a2 2 0 0 1 2-2h7a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2H7l-3 3v-3a1.6 1.6 0 0 1-1.5-2z",
  try: "M5 3.2v9.6L13 8z",
  bot: "M2.5 4.5h6m3 0h2m-11 7h2m3 0h6M8.5 4.5a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0M4.5 11.5a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0",
  key: "M3 10.5a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M7.4 8.6L13 3M10.5 5.5l2 2",
  model:
    "M5.5 4h5A1.5 1.5 0 0 1 12 5.500v5a1.5 1.5 0 0 1-1.5 1.500h-5A1.5 1.5 0 0 1 4 10.500v-5A1.5 1.5 0 0 1 5.5 4zM6.5 1.800v2m3-2v2m-3 8.400v2m3-2v2M1.8 6.500h2m-2 3h2m8.4-3h2m-2 3h2",
  audit: "M5.5 4h8m-8 4h8m-8 4h8M2.5 4h.1M2.5 8h.1m-.1 4h.1",
  health: "M1.8 8.500h3L6.6 4l3 8 1.8-3.500h2.8",
  people: "M5.5 5.500a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M3 13.500c.6-2.6 2.5-4 5-4s4.4 1.4 5 4",
  person:
    "M2.5 4.5a2 2 0 0 1 2-2h7a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2H7l-3 3v-3a1.6 1.6 0 0 1-1.5-2zM6.6 5.600a1.4 1.4 0 1 0 2.8 0a1.4 1.4 0 1 0-2.8 0M5.6 9c.3-1.300 1.2-1.900 2.4-1.900s2.1.6 2.4 1.900",
  search: "M3 7a4 4 0 1 0 8 0a4 4 0 1 0-8 0m7 3 3.5 3.5",
  info: "M2.2 8a5.8 5.8 0 1 0 11.6 0a5.8 5.8 0 1 0-11.6 0M8 7.400v3.400m0-5.600v.1",
  warn: "M8 2.300L14.2 13H1.800zm0 4.200v3m0 1.700v.1",
  check: "m3 8.5 3.2 3.200L13 4.8",
  off: "m2 2 12 12M4.2 8.200A6 6 0 0 1 7 6.700m2.8.2c.8.3 1.5.8 2 1.300m-5.5 2.400a3 3 0 0 1 3.2-.2M8 13v.1M1.8 5.900a9 9 0 0 1 2.1-1.400m2.9-1.200a9 9 0 0 1 7.4 2.6",
  lock: "M4.5 7h7a1 1 0 0 1 1 1v4.500a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1zm1 0V5a2.5 2.5 0 0 1 5 0v2",
  mail: "M2.5 4h11v8.500h-11zm0 .6L8 8.900l5.500-4.300",
  file: "M4 2h5l3 3v9H4zm5 0v3h3",
} as const;

export type IconName = keyof typeof STROKES;

/** An icon beside a label. Only the narrow sidebar shows it alone. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={STROKES[name]} />
    </svg>
  );
}

/** Strokes on a square of 12: a tick, a question, a broken ring, a bar in a ring, a cross. */
const GLYPHS: Readonly<Record<Outcome, string>> = {
  answered: "M2.5 6.500L5 9l4.5-5.5",
  asked: "M3.9 4.300a2.1 2.1 0 1 1 3 1.900c-.6.3-.9.7-.9 1.300m0 2.400v.05",
  unmatched:
    "M5.1 2.200a3.9 3.9 0 0 1 1.8 0m2.3 1.500a3.9 3.9 0 0 1 .7 1.700m-.6 2.700a3.9 3.9 0 0 1-1.2 1.200m-2.2.6a3.9 3.9 0 0 1-1.9-.5m-1.6-2a3.9 3.9 0 0 1-.2-1.800m.8-2a3.9 3.9 0 0 1 .6-.6",
  refused: "M2 6a4 4 0 1 0 8 0a4 4 0 1 0-8 0m2.2 0h3.6",
  failed: "m3 3 6 6m0-6-6 6",
};

/** An outcome as a shape. */
export function Glyph({ outcome }: { outcome: Outcome }) {
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true">
      <path d={GLYPHS[outcome]} />
    </svg>
  );
}

/** The Parley logo. */
export function Mark() {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <path
        class="plate"
        d="M4.5 1h11A3.5 3.5 0 0 1 19 4.500v7a3.5 3.5 0 0 1-3.5 3.500H9l-5 4v-4.100a3.5 3.5 0 0 1-3-3.400v-7A3.5 3.5 0 0 1 4.5 1z"
      />
      <path class="word" d="M6 6.500h8M6 10h4.5" />
    </svg>
  );
}
