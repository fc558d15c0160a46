import {
  describeNetworkFileSystem,
  NETWORK_FILE_SYSTEM_CURE,
} from "../../store/sqlite/network-file-system.ts";
import { type Finding, fine } from "./finding.ts";

/** @param network type of the network file system below the data folder, if any. Pure. */
export function judgeFileSystem(data: string, network: string | undefined): Finding {
  if (network === undefined) return fine("file-system", "not known to be a network's");
  const message = describeNetworkFileSystem(data, network);
  return { check: "file-system", severity: "mend", message, cure: NETWORK_FILE_SYSTEM_CURE };
}
