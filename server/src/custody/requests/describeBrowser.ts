import { serverMessages } from '../../messages/generated/index.ts'

const { common: messages } = serverMessages.english
const names = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari']
const systems = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS', 'Linux']

/**
 * Describes the browser of a request for mails and pages, like `Firefox on Linux`. Only known names are used: the header
 * comes from the client and could carry any text.
 *
 * @param agent the `User-Agent` header
 */
export function describeBrowser(agent: string | undefined): string {
  const name = names.find((each) => agent?.includes(each))
  const system = systems.find((each) => agent?.includes(each))
  const browser = name ?? messages.unknownBrowser
  return system === undefined ? browser : messages.browserOnSystem({ browser, system })
}
