import { version } from "../../package.json" with { type: "json" };

/** Of this executable, as in `package.json`. */
export const VERSION: string = version;
