import {
  describeNetworkFileSystem,
  NETWORK_FILE_SYSTEM_CURE,
} from "../../store/sqlite/network-file-system.ts";
import { type Finding, fine } from "./finding.ts";

/** @param network the network file system that the data folder is on, if it is on one. Pure. */
export function judgeFileSystem(data: string, network: string | undefined): Finding {
  if (network === undefined) return fine("file-system", "not known to be a network's");
  const message = describeNetworkFileSystem(data, network);
  return { check: "file-system", severity: "mend", message, cure: NETWORK_FILE_SYSTEM_CURE };
}
