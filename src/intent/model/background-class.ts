/**
 * Tells a bot's examples from the background: what people say to bots in general. A linear model, above 0 for what is more like the
 * examples; texts that it has not seen lie about −1 to 1.
 */
export interface BackgroundClass {
  /** A weight for each row of the intent model's weights; 0 for character grams. */
  weights: Float32Array;
  bias: number;
}
