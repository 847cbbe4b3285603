import { serverUrl } from '../api/fetchJson.ts'
import type { Latchkey } from '../instance/latchkey.ts'

const pictures = '/v1/nft/'

/** Returns the URL of an NFT's picture on the configured server, whatever host the response names, or undefined. */
export function pictureUrl(latchkey: Pick<Latchkey, 'internal'>, reported: string | undefined): string | undefined {
  const at = reported?.indexOf(pictures) ?? -1
  return reported === undefined || at < 0 ? undefined : serverUrl(latchkey, reported.slice(at)).href
}
