import { caipError } from '../errors/caipError.ts'
import type { ChainId } from './accountId.ts'

/** An asset on one blockchain in CAIP-19 form: `eip155:1/erc20:0x6b17…`, followed by `/<id>` for a single NFT. */
export type AssetId = `${string}:${string}/${string}:${string}`

export type ParsedAssetId = {
  chainId: ChainId
  assetNamespace: string
  assetReference: string
  /** Present only for a single token of a collection. */
  tokenId: string | undefined
}

const assetIdPattern =
  /^([-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32})\/([-a-z0-9]{3,8}):([-.%a-zA-Z0-9]{1,128})(?:\/([-.%a-zA-Z0-9]{1,78}))?$/

/**
 * Parses a CAIP-19 asset type or asset id.
 *
 * @param value text such as `eip155:1/erc20:0x6b17…`
 * @throws LatchkeyError `caip/invalid` if the string is neither
 * @example parseAssetId('eip155:1/erc721:0x06012c8cf97BEaD5deAe237070F9587f8E7A266d/771769').tokenId // '771769'
 */
export function parseAssetId(value: string): ParsedAssetId {
  const match = assetIdPattern.exec(value)
  if (match === null) throw caipError('caip/invalid', { kind: 'asset id', value })
  const [, chainId = '', assetNamespace = '', assetReference = '', tokenId] = match
  return { chainId: chainId as ChainId, assetNamespace, assetReference, tokenId }
}

/**
 * Formats a CAIP-19 asset type, or an asset id if `tokenId` is set.
 *
 * @throws LatchkeyError `caip/invalid` if the fields do not form a valid id
 * @example formatAssetId({ chainId: 'eip155:1', assetNamespace: 'erc20', assetReference: '0x6b17…', tokenId: undefined })
 */
export function formatAssetId({ chainId, assetNamespace, assetReference, tokenId }: ParsedAssetId): AssetId {
  const type: AssetId = `${chainId}/${assetNamespace}:${assetReference}`
  const value: AssetId = tokenId === undefined ? type : `${type}/${tokenId}`
  // A slash inside the reference would produce an id that parses to a reference and a token id.
  if (parseAssetId(value).assetReference !== assetReference) {
    throw caipError('caip/invalid', { kind: 'asset id', value })
  }
  return value
}
