import { listRequestFacts, type RequestFacts } from '../../messages/formatRequest.ts'
import type { ServerWords } from '../../messages/loadServerWords.ts'
import { escapeHtml } from '../../kit/http/escapeHtml.ts'
import { describeBrowser } from '../requests/source/describeBrowser.ts'
import { parseShortTexts } from './registerFormRoutes.ts'

/** The largest time of a JavaScript date, in milliseconds since 1970. */
const latestTime = 8.64e15

/** The code of a place without its city, see `Places`. */
const placeCode = /^(?:|local|[A-Z]{2})$/

/**
 * Formats the link of a mail. It carries the browser, the country and the time of the request, so that its page shows them: the reader of
 * the mail knows them, and the service need not store them. The owner of a link can change them, so they contain no free text, such as
 * the name of a city.
 *
 * @param page address of the page
 * @example formatActionLink('https://auth.example/auth/v1/deletion/cancel', { id, secret }, facts)
 */
export function formatActionLink(page: string, link: { id: string; secret: string }, facts: RequestFacts): string {
  const { browser, place, at } = facts
  const shown = { browser, ...(place !== undefined && { place: place.split('/')[0] ?? '' }), at: String(at) }
  return `${page}?${new URLSearchParams({ ...link, ...shown })}`
}

/** Parses the request that a link is about. Links of earlier versions name none. @returns `undefined` for unusable values */
export function parseActionLinkFacts(query: unknown): RequestFacts | undefined {
  const { browser, place, at } = parseShortTexts(query, ['browser', 'place', 'at'])
  const time = Number(at)
  if (browser === '' || at === '' || !Number.isInteger(time) || time < 0 || time > latestTime) return undefined
  const isNamed = typeof query === 'object' && query !== null && 'place' in query
  return { browser: describeBrowser(browser), at: time, ...(isNamed && placeCode.test(place) && { place }) }
}

/** Renders browser, place and time of a request as a list. */
export function requestFactList(words: ServerWords, facts: RequestFacts): string {
  const rows = listRequestFacts(words, facts).map(
    ([label, value]) => `<dt>${escapeHtml(label)}</dt><dd dir="auto">${escapeHtml(value)}</dd>`,
  )
  return `<dl>
      ${rows.join('\n      ')}
    </dl>`
}
