/** The calendar day in a time zone: `2026-11-15`. */
export const dayOf = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at);
