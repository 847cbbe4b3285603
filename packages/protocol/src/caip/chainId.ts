import { LatchkeyError } from '../errors.ts'

/** A blockchain in CAIP-2 form: `eip155:1`. */
export type ChainId = `${string}:${string}`

export type ParsedChainId = { namespace: string; reference: string }

const chainIdPattern = /^([-a-z0-9]{3,8}):([-_a-zA-Z0-9]{1,32})$/

/**
 * Parses a CAIP-2 chain id.
 *
 * @param value text such as `eip155:1`
 * @throws LatchkeyError `caip/invalid` if the text is not a chain id
 * @example parseChainId('eip155:1') // { namespace: 'eip155', reference: '1' }
 */
export function parseChainId(value: string): ParsedChainId {
  const match = chainIdPattern.exec(value)
  if (match === null) throw new LatchkeyError('caip/invalid', { kind: 'chain id', value })
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
 * Returns `true` if a text is a valid CAIP-2 chain id.
 *
 * @example if (isChainId(text)) console.log(parseChainId(text).namespace)
 */
export function isChainId(value: string): value is ChainId {
  return chainIdPattern.test(value)
}
