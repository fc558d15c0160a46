import type { MatchersBuiltin } from "bun:test";

type Promised<Matcher> = Matcher extends (...parameters: infer Parameters) => unknown
  ? (...parameters: Parameters) => Promise<void>
  : Matcher;

type PromisedMatchers<Value> = {
  [Name in keyof MatchersBuiltin<Value>]: Name extends "not"
    ? PromisedMatchers<Value>
    : Promised<MatchersBuiltin<Value>[Name]>;
};

/**
 * Matchers of promises return promises. Bun's own types say that they return nothing, so the linter would miss a missing `await`.
 */
declare module "bun:test" {
  interface Matchers<T> {
    rejects: PromisedMatchers<unknown>;
    resolves: PromisedMatchers<Awaited<T>>;
  }
}
