import { caipError } from '../errors/caipError.ts'
import { isNamespace, type Namespace } from '../namespaces.ts'

// Chain ids and account ids are one module, because the first chunk of every app needs both.

/** A blockchain in CAIP-2 form: `eip155:1`. */
export type ChainId = `${string}:${string}`

export type ParsedChainId = { namespace: string; reference: string }

const chainIdPattern = /^([-a-z0-9]{3,8}):([-_a-zA-Z0-9]{1,32})$/

/**
 * Parses a CAIP-2 chain id.
 *
 * @param value text such as `eip155:1`
 * @throws LatchkeyError `caip/invalid` if the string is not a chain id
 * @example parseChainId('eip155:1') // { namespace: 'eip155', reference: '1' }
 */
export function parseChainId(value: string): ParsedChainId {
  const match = chainIdPattern.exec(value)
  if (match === null) throw caipError('caip/invalid', { kind: 'chain id', value })
  const [, namespace = '', reference = ''] = match
  return { namespace, reference }
}

/**
 * Formats a CAIP-2 chain id.
 *
 * @throws LatchkeyError `caip/invalid` if the fields do not form a valid id
 * @example formatChainId({ namespace: 'eip155', reference: '1' }) // 'eip155:1'
 */
export function formatChainId({ namespace, reference }: ParsedChainId): ChainId {
  const value: ChainId = `${namespace}:${reference}`
  parseChainId(value)
  return value
}

/**
 * Returns `true` if a string is a valid CAIP-2 chain id.
 *
 * @example if (isChainId(text)) console.log(parseChainId(text).namespace)
 */
export function isChainId(value: string): value is ChainId {
  return chainIdPattern.test(value)
}

/** An account on one blockchain in CAIP-10 form: `eip155:1:0xab16…`. */
export type AccountId = `${Namespace}:${string}:${string}`

export type ParsedAccountId = { namespace: Namespace; reference: string; chainId: ChainId; address: string }

const accountIdPattern = /^([-a-z0-9]{3,8}):([-_a-zA-Z0-9]{1,32}):([-.%a-zA-Z0-9]{1,128})$/

/**
 * Parses a CAIP-10 account id. Accepts only the namespaces that Latchkey supports.
 *
 * @param value text such as `eip155:1:0xab16…`
 * @throws LatchkeyError `caip/invalid` if the string is not an account id of a supported namespace
 * @example parseAccountId('eip155:1:0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb').address
 */
export function parseAccountId(value: string): ParsedAccountId {
  const match = accountIdPattern.exec(value)
  const [, namespace = '', reference = '', address = ''] = match ?? []
  if (match === null || !isNamespace(namespace)) {
    throw caipError('caip/invalid', { kind: 'account id', value })
  }
  return { namespace, reference, chainId: `${namespace}:${reference}`, address }
}

/**
 * Formats a CAIP-10 account id.
 *
 * @throws LatchkeyError `caip/invalid` if the fields do not form a valid id
 * @example formatAccountId({ chainId: 'eip155:1', address: '0xab16…' })
 */
export function formatAccountId({ chainId, address }: { chainId: ChainId; address: string }): AccountId {
  const value = `${chainId}:${address}`
  // A separator inside a field would produce an id that parses to different fields.
  if (!isAccountId(value) || parseAccountId(value).address !== address) {
    throw caipError('caip/invalid', { kind: 'account id', value })
  }
  return value
}

/**
 * Returns `true` if a string is a valid CAIP-10 account id of a supported namespace.
 *
 * @example if (isAccountId(text)) console.log(parseAccountId(text).address)
 */
export function isAccountId(value: string): value is AccountId {
  return accountIdPattern.test(value) && isNamespace(value.slice(0, value.indexOf(':')))
}
