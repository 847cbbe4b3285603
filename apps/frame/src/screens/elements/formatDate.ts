/** Formats a date. @param at milliseconds since the epoch */
export function formatDate(at: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(at)
}

/** Formats a date with time. @param at milliseconds since the epoch */
export function formatTime(at: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(at)
}
