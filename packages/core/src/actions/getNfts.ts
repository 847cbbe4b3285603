import { isChainId, type HeldNft, type NftPage } from '@latchkey/protocol'
import { fieldsOf, readPage, textOf, type Fields } from '../account/answers.ts'
import { pageUrl, type PageOptions } from '../account/holder.ts'
import { pictureUrl } from '../account/pictureUrl.ts'
import { ask } from '../api/ask.ts'
import type { Latchkey } from '../latchkey.ts'

/**
 * A page of the NFTs that the connected account holds on the network it is on; those that came unasked are marked.
 * Pictures are the server's own copies: a page never goes where an NFT sends it.
 *
 * @returns an empty page when no server is configured
 * @throws LatchkeyError `connection/not-connected`, `http/status`, `http/unreachable`, `http/invalid-answer`.
 * @example const { data } = await getNfts(latchkey)
 */
export async function getNfts(latchkey: Latchkey, options: PageOptions = {}): Promise<NftPage> {
  const url = pageUrl(latchkey, 'nfts', options)
  if (url === undefined) return { data: [], next: null }
  const answer = await ask(latchkey, url, options.signal)
  const { data, next } = readPage(answer, 'nfts', (fields) => readNft(latchkey, fields))
  const chain = url.searchParams.get('chainId')
  return { data: data.filter(({ chainId }) => chainId === chain), next }
}

function readNft(latchkey: Latchkey, fields: Fields): HeldNft | undefined {
  const text = (field: string): string => textOf(fields[field]) ?? ''
  const [id, chainId, contract, tokenId, quantity] = ['id', 'chainId', 'contract', 'tokenId', 'quantity'].map(text)
  if (id === undefined || contract === undefined || tokenId === undefined || id === '') return undefined
  if (chainId === undefined || !isChainId(chainId)) return undefined
  const collection = fieldsOf(fields['collection'])
  const picture = fieldsOf(fields['picture'])
  const url = pictureUrl(latchkey, textOf(picture['url']))
  return {
    id,
    chainId,
    contract,
    tokenId,
    name: textOf(fields['name']) ?? null,
    collection: { name: textOf(collection['name']) ?? null, symbol: textOf(collection['symbol']) ?? null },
    picture: url === undefined ? null : { url, contentType: textOf(picture['contentType']) ?? null },
    quantity: quantity !== undefined && /^\d+$/.test(quantity) ? quantity : '1',
    isSpam: fields['isSpam'] === true,
  }
}
