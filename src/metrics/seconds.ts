/** Upper bounds of histograms of time, in seconds: from a scripted answer to a slow model's. */
export const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
