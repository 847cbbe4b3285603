/** A day as people write it. @param at milliseconds since the epoch */
export function shownDate(at: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(at)
}

/** A day and the time. @param at milliseconds since the epoch */
export function shownTime(at: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(at)
}
