import type { TrustedProxies } from "../access/client-address.ts";
import { Passwords } from "../access/passwords.ts";
import type { RateLimiter } from "../access/rate-limiter.ts";
import type { PublicAddresses } from "../config/addresses.ts";
import type { Config } from "../config/config.ts";
import { SignIn, type SignInParts } from "../operate/sign-in.ts";
import { backUpInProcess } from "../store/sqlite/backup/backup-process.ts";
import { createGate, type GateParts, sessionCookie } from "./api/gate.ts";
import type { AssertReady } from "./health.ts";
import type { OperatorParts } from "./operator.ts";
import type { Connections } from "./request-context.ts";

type RoutesParts = OperatorParts["api"];

/** Shared with the public listener. */
type SharedParts = Pick<OperatorParts, "metrics" | "log" | "newRequestId" | "assets"> &
  Pick<
    RoutesParts,
    | "store"
    | "now"
    | "startedAt"
    | "randomBytes"
    | "models"
    | "embedTokens"
    | "workshop"
    | "nudgeNotifier"
    | "handoffEvents"
  > &
  Pick<RoutesParts, "overview" | "improvement" | "catchUp"> &
  Pick<GateParts, "store"> &
  Pick<SignInParts, "store"> & { signInAttempts: RateLimiter };

/** Addresses of the listeners. */
interface ListenerFacts {
  assertReady: AssertReady;
  trustedProxies: TrustedProxies;
  connections: Connections;
  addresses: () => PublicAddresses;
  /** Public address of the operator listener. */
  operatorUrl: () => string;
}

/** Wires the operator listener. */
export function operatorParts(config: Config, shared: SharedParts, facts: ListenerFacts): OperatorParts {
  const { store, now, randomBytes, signInAttempts: attempts } = shared;
  const cookie = sessionCookie(config.operatorUrl);
  const signIn = new SignIn({ store, passwords: new Passwords(), attempts, randomBytes });
  return {
    ...shared,
    ...facts,
    operatorUrl: config.operatorUrl,
    gate: createGate({ store, now, cookie, operatorHost: config.operatorHost }),
    api: {
      ...shared,
      ...facts,
      config,
      cookie,
      signIn,
      backUp: backUpInProcess,
    },
  };
}
