import { isChainId, type HeldNft, type NftPage } from '@latchkey/protocol'
import { toFields, parsePage, nonEmptyString, type Fields } from './fields.ts'
import { accountPageUrl, type PageOptions } from './accountPageUrl.ts'
import { pictureUrl } from './pictureUrl.ts'
import { fetchJson } from '../api/fetchJson.ts'
import type { Latchkey } from '../instance/latchkey.ts'

/**
 * Returns a page of the NFTs of the connected account on its network. Unsolicited NFTs are marked. Pictures are copies
 * on the server, so the page never contacts a host that an NFT names.
 *
 * @returns an empty page if no server is configured
 * @throws LatchkeyError `connection/not-connected`, `http/status`, `http/unreachable`, `http/invalid-response`.
 * @example const { data } = await getNfts(latchkey)
 */
export async function getNfts(latchkey: Latchkey, options: PageOptions = {}): Promise<NftPage> {
  const url = accountPageUrl(latchkey, 'nfts', options)
  if (url === undefined) return { data: [], next: null }
  const response = await fetchJson(latchkey, url, options.signal)
  const { data, next } = parsePage(response, 'nfts', (fields) => readNft(latchkey, fields))
  const chain = url.searchParams.get('chainId')
  return { data: data.filter(({ chainId }) => chainId === chain), next }
}

function readNft(latchkey: Pick<Latchkey, 'internal'>, fields: Fields): HeldNft | undefined {
  const text = (field: string): string => nonEmptyString(fields[field]) ?? ''
  const [id, chainId, contract, tokenId, quantity] = ['id', 'chainId', 'contract', 'tokenId', 'quantity'].map(text)
  if (id === undefined || contract === undefined || tokenId === undefined || id === '') return undefined
  if (chainId === undefined || !isChainId(chainId)) return undefined
  const collection = toFields(fields['collection'])
  const picture = toFields(fields['picture'])
  const url = pictureUrl(latchkey, nonEmptyString(picture['url']))
  return {
    id,
    chainId,
    contract,
    tokenId,
    name: nonEmptyString(fields['name']) ?? null,
    collection: {
      name: nonEmptyString(collection['name']) ?? null,
      symbol: nonEmptyString(collection['symbol']) ?? null,
    },
    picture: url === undefined ? null : { url, contentType: nonEmptyString(picture['contentType']) ?? null },
    quantity: quantity !== undefined && /^\d+$/.test(quantity) ? quantity : '1',
    isSpam: fields['isSpam'] === true,
  }
}
