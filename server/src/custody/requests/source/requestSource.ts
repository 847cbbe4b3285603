import type { IncomingMessage } from 'node:http'
import { clientAddress } from '../../../kit/http/clientAddress.ts'
import type { Locale } from '../../../messages/generated/index.ts'
import { describeBrowser } from './describeBrowser.ts'
import { requestLocale } from './requestLocale.ts'

/** The network address, the browser and the language that a request came from. */
export type RequestSource = { readonly client: string; readonly browser: string; readonly locale: Locale }

/** Returns where a request came from. */
export function requestSource(raw: IncomingMessage, trustedProxies: number): RequestSource {
  return {
    client: clientAddress(raw, trustedProxies),
    browser: describeBrowser(raw.headers['user-agent']),
    locale: requestLocale(raw),
  }
}
