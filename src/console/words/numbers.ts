const COUNT = new Intl.NumberFormat("en-GB");
const NO_BREAK = "\u00A0";

/** As 55,855. */
export const count = (number: number): string => COUNT.format(number);

/** A number with its noun: `no messages`, `1 message`, `2 messages`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${number === 0 ? "no" : count(number)} ${number === 1 ? one : many}`;
}

/** A share 0–1 as 86.9, without its sign. */
export const percent = (share: number): string => (share * 100).toFixed(1);

/** The same with its sign, as `86.9 %`. */
export const percentSign = (share: number): string => `${percent(share)}${NO_BREAK}%`;

/** A change of a share in points, as `+1.0 pt` or `−1.4 pt`. */
export function points(before: number, now: number): string {
  return `${signed(((now - before) * 100).toFixed(1))} pt`;
}

/** A relative change, as `+15.8 %`; undefined if there was nothing before. */
export function change(before: number, now: number, digits = 0): string | undefined {
  if (before === 0) return undefined;
  return `${signed((((now - before) / before) * 100).toFixed(digits))}${NO_BREAK}%`;
}

function signed(number: string): string {
  if (number.startsWith("-")) return `−${number.slice(1)}`;
  return `+${number}`;
}

/** A length of time, in the unit that it is mostly said in. */
export function milliseconds(time: number): string {
  if (time < 10) return `${time.toFixed(time < 1 ? 2 : 1)} ms`;
  if (time < 1000) return `${Math.round(time)} ms`;
  return `${(time / 1000).toFixed(1)} s`;
}

const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

/** A size, as `12.3 MB`. */
export function bytes(size: number): string {
  const step = size < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(size) / 3));
  return `${step === 0 ? size : (size / 1000 ** step).toFixed(1)} ${UNITS[step]}`;
}
