/**
 * The SQLite driver. The literal entry per target embeds the native addon in the executable; the build swaps it for
 * other targets.
 */
export { default as Sqlite } from "better-sqlite3/linux-x64";
