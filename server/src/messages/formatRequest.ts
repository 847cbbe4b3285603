import type { ServerWords } from './loadServerWords.ts'

/** The description of a browser that is not known, as it is stored. */
export const unknownBrowser = 'an unknown browser'

/** The source of a request, as mails and pages show it. */
export type RequestFacts = {
  /** The page that the request came from. Omitted for actions of the frame itself. */
  readonly origin?: string
  /** Like `Firefox on Linux`, see `describeBrowser`. */
  readonly browser: string
  /** The code of the approximate place, see `Places`. Not shown if `undefined`. */
  readonly place?: string | undefined
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Returns label and value of each fact of a request. */
export function listRequestFacts(
  words: ServerWords,
  { origin, browser, place, at }: RequestFacts,
): readonly (readonly [label: string, value: string])[] {
  const { linkPage: labels } = words
  const facts: [string, string | undefined][] = [
    [labels.site, origin],
    [labels.browser, formatBrowser(words, browser)],
    [labels.place, place === undefined ? undefined : formatPlace(words, place)],
    [labels.time, formatTime(words, at)],
  ]
  return facts.filter((fact): fact is [string, string] => fact[1] !== undefined)
}

/** Formats the facts of a request for a mail in plain text, one per line. */
export function formatRequestLines(words: ServerWords, facts: RequestFacts): string {
  return listRequestFacts(words, facts)
    .map(([label, value]) => words.common.detail({ label, value: isolate(words, value) }))
    .join('\n')
}

/**
 * Formats a time to the minute, in the language of the reader, and names its time zone.
 *
 * @param at milliseconds since 1970
 * @example formatTime(words, 0) // 'January 1, 1970 at 12:00 AM UTC'
 */
export function formatTime({ locale }: ServerWords, at: number): string {
  return new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(at)
}

/** Isolates a value from the direction of right-to-left text around it (UAX #9). */
export function isolate({ direction }: ServerWords, value: string): string {
  return direction === 'rtl' ? `\u2068${value}\u2069` : value
}

function formatBrowser({ common }: ServerWords, description: string): string {
  const [name = '', system] = description.split(' on ')
  const browser = name === unknownBrowser ? common.unknownBrowser : name
  return system === undefined ? browser : common.browserOnSystem({ browser, system })
}

function formatPlace({ common, locale }: ServerWords, place: string): string {
  if (place === '') return common.unknownPlace
  if (place === 'local') return common.localNetwork
  const [country = '', city] = place.split('/')
  const name = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' }).of(country) ?? country
  return city === undefined ? name : `${city}, ${name}`
}
