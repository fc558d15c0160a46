/** Whether browsers know a time zone of this name. Offsets such as `+02:00` are no names: older browsers refuse them. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Whether the end of an opening, such as `Mo-Fr 09:00-17:30`, is after its beginning. @param opening as OPENING_PATTERN has it. */
export function endsAfterItBegins(opening: string): boolean {
  const [from, to] = opening.slice(-"00:00-00:00".length).split("-") as [string, string];
  return from < to;
}

/** Hours that a widget can reckon with: without a time zone that there is, it would fail. */
export function usableHours<Hours extends { timezone: string }>(hours: Hours | undefined): Hours | undefined {
  return hours && isTimeZone(hours.timezone) ? hours : undefined;
}
