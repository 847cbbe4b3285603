import { LatchkeyError } from './errors.ts'
import { isNamespace, type Namespace } from './namespaces.ts'

/** A blockchain, as CAIP-2 writes it: `eip155:1`. */
export type ChainId = `${string}:${string}`

/** An account on one blockchain, as CAIP-10 writes it: `eip155:1:0xab16…`. */
export type AccountId = `${Namespace}:${string}:${string}`

/** An asset on one blockchain, as CAIP-19 writes it: `eip155:1/erc20:0x6b17…`, with `/<id>` behind it for one NFT. */
export type AssetId = `${string}:${string}/${string}:${string}`

export type ChainIdParts = { namespace: string; reference: string }
export type AccountIdParts = { namespace: Namespace; reference: string; chainId: ChainId; address: string }
export type AssetIdParts = {
  chainId: ChainId
  assetNamespace: string
  assetReference: string
  /** Present for one token of a collection only. */
  tokenId: string | undefined
}

const chainIdPattern = /^([-a-z0-9]{3,8}):([-_a-zA-Z0-9]{1,32})$/
const accountIdPattern = /^([-a-z0-9]{3,8}):([-_a-zA-Z0-9]{1,32}):([-.%a-zA-Z0-9]{1,128})$/
const assetIdPattern =
  /^([-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32})\/([-a-z0-9]{3,8}):([-.%a-zA-Z0-9]{1,128})(?:\/([-.%a-zA-Z0-9]{1,78}))?$/

/**
 * Reads a CAIP-2 chain id.
 *
 * @throws LatchkeyError `caip/invalid` when the text is not one.
 * @example parseChainId('eip155:1') // { namespace: 'eip155', reference: '1' }
 */
export function parseChainId(value: string): ChainIdParts {
  const match = chainIdPattern.exec(value)
  if (match === null) throw new LatchkeyError('caip/invalid', { kind: 'chain id', value })
  const [, namespace = '', reference = ''] = match
  return { namespace, reference }
}

/**
 * Writes a CAIP-2 chain id.
 *
 * @throws LatchkeyError `caip/invalid` when the parts do not make one.
 * @example formatChainId({ namespace: 'eip155', reference: '1' }) // 'eip155:1'
 */
export function formatChainId({ namespace, reference }: ChainIdParts): ChainId {
  const value: ChainId = `${namespace}:${reference}`
  parseChainId(value)
  return value
}

/** Whether a text is a CAIP-2 chain id. */
export function isChainId(value: string): value is ChainId {
  return chainIdPattern.test(value)
}

/**
 * Reads a CAIP-10 account id whose namespace is one that Latchkey knows.
 *
 * @throws LatchkeyError `caip/invalid` when the text is not one.
 * @example parseAccountId('eip155:1:0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb').address
 */
export function parseAccountId(value: string): AccountIdParts {
  const match = accountIdPattern.exec(value)
  const [, namespace = '', reference = '', address = ''] = match ?? []
  if (match === null || !isNamespace(namespace)) {
    throw new LatchkeyError('caip/invalid', { kind: 'account id', value })
  }
  return { namespace, reference, chainId: `${namespace}:${reference}`, address }
}

/**
 * Writes a CAIP-10 account id.
 *
 * @throws LatchkeyError `caip/invalid` when the parts do not make one.
 * @example formatAccountId({ chainId: 'eip155:1', address: '0xab16…' })
 */
export function formatAccountId({ chainId, address }: { chainId: ChainId; address: string }): AccountId {
  const value = `${chainId}:${address}`
  // A part with a separator in it would make an id that reads as other parts.
  if (!isAccountId(value) || parseAccountId(value).address !== address) {
    throw new LatchkeyError('caip/invalid', { kind: 'account id', value })
  }
  return value
}

/** Whether a text is a CAIP-10 account id of a namespace that Latchkey knows. */
export function isAccountId(value: string): value is AccountId {
  return accountIdPattern.test(value) && isNamespace(value.slice(0, value.indexOf(':')))
}

/**
 * Reads a CAIP-19 asset type or asset id.
 *
 * @throws LatchkeyError `caip/invalid` when the text is neither.
 * @example parseAssetId('eip155:1/erc721:0x06012c8cf97BEaD5deAe237070F9587f8E7A266d/771769').tokenId // '771769'
 */
export function parseAssetId(value: string): AssetIdParts {
  const match = assetIdPattern.exec(value)
  if (match === null) throw new LatchkeyError('caip/invalid', { kind: 'asset id', value })
  const [, chainId = '', assetNamespace = '', assetReference = '', tokenId] = match
  return { chainId: chainId as ChainId, assetNamespace, assetReference, tokenId }
}

/**
 * Writes a CAIP-19 asset type, or an asset id when a token id is given.
 *
 * @throws LatchkeyError `caip/invalid` when the parts do not make one.
 * @example formatAssetId({ chainId: 'eip155:1', assetNamespace: 'erc20', assetReference: '0x6b17…', tokenId: undefined })
 */
export function formatAssetId({ chainId, assetNamespace, assetReference, tokenId }: AssetIdParts): AssetId {
  const type: AssetId = `${chainId}/${assetNamespace}:${assetReference}`
  const value: AssetId = tokenId === undefined ? type : `${type}/${tokenId}`
  // A reference with a slash in it would make an id that reads as a reference and a token.
  if (parseAssetId(value).assetReference !== assetReference) {
    throw new LatchkeyError('caip/invalid', { kind: 'asset id', value })
  }
  return value
}
