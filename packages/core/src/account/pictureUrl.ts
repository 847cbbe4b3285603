import { serverUrl } from '../api/ask.ts'
import type { Latchkey } from '../latchkey.ts'

const pictures = '/v1/nft/'

/** The picture of an NFT at the server that is configured, whatever an answer says of its host; else undefined. */
export function pictureUrl(latchkey: Latchkey, told: string | undefined): string | undefined {
  const at = told?.indexOf(pictures) ?? -1
  return told === undefined || at < 0 ? undefined : serverUrl(latchkey, told.slice(at)).href
}
