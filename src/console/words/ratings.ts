import type { Rating } from "../../domain/feedback.ts";

/** What a visitor thinks of an answer, in words. */
export const RATING_WORDS: Readonly<Record<Rating, string>> = { up: "Helped", down: "Did not help" };

export const RATINGS: readonly Rating[] = ["up", "down"];
