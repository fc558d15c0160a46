import { STORAGE_FAILURE_KINDS, type StorageFailureKind } from "../../store/interface/health.ts";
import { type Finding, fine } from "./finding.ts";
import { valueOf } from "./server-metrics.ts";

const SAYS: Record<StorageFailureKind, string> = {
  moved: "its database was moved, deleted, cut or replaced under it",
  damaged: "its database is damaged",
  unreliable: "its disk failed to write",
};

/** Assets of the running server that are missing in its store, according to its `metrics`. Pure. */
export function judgeAssets(metrics: string): Finding[] {
  if (valueOf(metrics, "parley_assets_unstored") === 0) return [];
  return [
    {
      check: "storage",
      severity: "mend",
      message:
        "the server that runs could not store its files of the widget and the console: pages that are open may lose them in an upgrade",
      cure: "its log says why; it tries again every minute. Upgrade it when this has gone",
    },
  ];
}

/** Whether the running server's writes last, according to its `metrics`. Pure. */
export function judgeStorage(metrics: string): Finding {
  const failed = STORAGE_FAILURE_KINDS.filter(
    (kind) => valueOf(metrics, `parley_storage_failed{kind="${kind}"}`) > 0,
  );
  if (failed.length === 0) return fine("storage", "the server that runs acknowledges what is on disk");
  const what = failed.map((kind) => SAYS[kind]).join(", and ");
  return {
    check: "storage",
    severity: "broken",
    message: `the server that runs acknowledges no message any more: ${what}`,
    cure: "the line of level fatal in its log says how to go on; it has to be started again",
  };
}
