declare module "better-sqlite3/linux-x64" {
  import Database from "better-sqlite3";

  export default Database;
}

declare module "*.sql" {
  const text: string;
  export default text;
}

declare module "*.lua" {
  const text: string;
  export default text;
}

declare module "*.yaml" {
  const text: string;
  export default text;
}

declare module "*.bin" {
  /** Where the file is. */
  const path: string;
  export default path;
}

declare module "*.wasm" {
  /** Where the file is. */
  const path: string;
  export default path;
}

declare module "*.txt" {
  /** Where the file is. */
  const path: string;
  export default path;
}

declare module "*.md" {
  /** Where the file is. */
  const path: string;
  export default path;
}
