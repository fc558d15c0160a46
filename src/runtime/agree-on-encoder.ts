import type { Logger } from "pino";

import { type Config, ConfigError } from "../config/config.ts";
import { flagOf } from "../config/settings.ts";
import type { InstanceId } from "../domain/ids.ts";
import type { Now } from "../domain/time.ts";
import { ENCODER_VERSION } from "../intent/classifier.ts";
import type { Vectors } from "../store/interface/store.ts";
import { ENCODER_OFF } from "../store/interface/vectors.ts";
import { LeaseObserver, type LeaseTimes } from "../store/lease-observer.ts";

interface AgreeParts {
  vectors: Pick<Vectors, "registerEncoder">;
  log: Pick<Logger, "warn">;
  steadyNow: Now;
  lease: LeaseTimes;
}

/**
 * Notes the encoder of this server in the store, which must be entered there. Servers of one store either all encode or none does, so that
 * a message is decided in the same way by each. A server that differs counts once it has sent a heartbeat; for a killed server, this waits
 * until its lease has run out.
 *
 * @throws ConfigError if a running server differs.
 */
export async function agreeOnEncoder(
  { vectors, log, steadyNow, lease }: AgreeParts,
  { encoder }: Pick<Config, "encoder">,
): Promise<void> {
  const own = encoder === "on" ? ENCODER_VERSION : ENCODER_OFF;
  const observer = new LeaseObserver(lease);
  const seen = new Map<InstanceId, number>();
  const dead: InstanceId[] = [];
  for (;;) {
    const unlike = await vectors.registerEncoder(own, dead);
    if (unlike.length === 0) return;
    if (seen.size === 0)
      log.warn(
        { servers: unlike.length },
        `a server on this store may run with another ${flagOf("encoder")}; waiting whether it lives`,
      );
    for (const { id, heartbeat } of unlike) {
      if ((seen.get(id) ?? heartbeat) !== heartbeat) throw new ConfigError(differsFrom(encoder));
      seen.set(id, heartbeat);
    }
    dead.push(...observer.look(unlike, steadyNow()).map(({ id }) => id));
    await Bun.sleep(lease.beatEveryMs / 2);
  }
}

function differsFrom(encoder: Config["encoder"]): string {
  const other = encoder === "on" ? "off" : "on";
  return `${flagOf("encoder")} ${encoder}: another server on this store runs with ${flagOf("encoder")} ${other}; give all of them the same, and to change it stop them first`;
}
