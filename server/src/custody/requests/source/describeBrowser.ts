import { unknownBrowser } from '../../../messages/formatRequest.ts'

const names = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari']
const systems = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS', 'Linux']

/**
 * Describes the browser of a request for mails and pages, like `Firefox on Linux`. Only known names are used: the header
 * comes from the client and could carry any text.
 *
 * @param agent the `User-Agent` header
 * @returns an English description, which `formatRequest.ts` translates
 */
export function describeBrowser(agent: string | undefined): string {
  const name = names.find((each) => agent?.includes(each))
  const system = systems.find((each) => agent?.includes(each))
  const browser = name ?? unknownBrowser
  return system === undefined ? browser : `${browser} on ${system}`
}
