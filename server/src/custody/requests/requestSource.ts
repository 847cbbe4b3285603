import type { IncomingMessage } from 'node:http'
import { clientAddress } from '../../kit/http/clientAddress.ts'
import { describeBrowser } from './describeBrowser.ts'

/** The network address and the browser that a request came from. */
export type RequestSource = { readonly client: string; readonly browser: string }

/** Returns where a request came from. */
export function requestSource(raw: IncomingMessage, trustedProxies: number): RequestSource {
  return { client: clientAddress(raw, trustedProxies), browser: describeBrowser(raw.headers['user-agent']) }
}
