import type { Progress } from "../../domain/operator/bots.ts";
import type { Routes } from "./generated-routes.ts";

export type RouteName = keyof Routes;

/** The names after a colon in a route's path. */
type PathNames<Text extends string> = Text extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathNames<`/${Rest}`>
  : Text extends `${string}:${infer Name}`
    ? Name
    : never;

type PathPart<Name extends string> = [PathNames<Name>] extends [never]
  ? unknown
  : { path: Record<PathNames<Name>, string | number> };
type QueryPart<Route> = Route extends { query: infer Query } ? { query: Query } : unknown;
type BodyPart<Route> = Route extends { body: infer Body } ? { body: Body } : unknown;

/** Input of one route. */
export type InputOf<Name extends RouteName> = PathPart<Name> &
  QueryPart<Routes[Name]> &
  BodyPart<Routes[Name]>;
export type AnswerOf<Name extends RouteName> = Routes[Name]["answer"];

/** Routes that stream their progress, with the type of the last line. */
export type StreamedName = {
  [Name in RouteName]: AnswerOf<Name> extends Progress<unknown> ? Name : never;
}[RouteName];
export type ResultOf<Name extends StreamedName> =
  AnswerOf<Name> extends Progress<infer Result> ? Result : never;
