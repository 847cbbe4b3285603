import { serverUrl } from '../api/fetchJson.ts'
import type { Latchkey } from '../instance/latchkey.ts'

const pictures = '/v1/nft/'

/** Returns the URL of an NFT's picture on the configured server, whatever host the response names, or undefined. */
export function pictureUrl(latchkey: Pick<Latchkey, 'internal'>, told: string | undefined): string | undefined {
  const at = told?.indexOf(pictures) ?? -1
  return told === undefined || at < 0 ? undefined : serverUrl(latchkey, told.slice(at)).href
}
