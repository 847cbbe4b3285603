import {
  parseAccountId,
  type ChainId,
  type ConvertHop,
  httpError,
  type LatchkeyError,
  isRecord,
} from '@latchkey/protocol'

/** Returns the id of an account on a chain, which may differ from the chain of the connection. */
export function accountOn(account: string, chainId: ChainId): string {
  return `${chainId}:${parseAccountId(account).address}`
}

/** True if a CAIP-10 id names a contract on a chain. */
export function isOnChain(id: string, chainId: ChainId): boolean {
  return id.startsWith(`${chainId}:`) && isAddressText(id.slice(chainId.length + 1))
}

/** True if a CAIP-10 id is a contract of the swap service. */
export function isAddressText(value: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(value)
}

/**
 * Parses a list of a response.
 *
 * @throws LatchkeyError `http/invalid-response`.
 */
export function parseList(response: unknown, name: string): readonly unknown[] {
  const entries = isRecord(response) ? response[name] : undefined
  if (!Array.isArray(entries)) throw invalidResponse(name)
  return entries
}

/** Creates the error for a response that does not match the API. @param subject what the response is about */
export function invalidResponse(subject: string): LatchkeyError {
  return httpError('http/invalid-response', { subject })
}

/** Parses base units from the server. Returns undefined for anything else. */
export function readUnits(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^\d{1,78}$/.test(value) ? BigInt(value) : undefined
}

/** True for hex data with `0x` and whole bytes. Any case. */
export function isHex(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && /^0x([0-9a-fA-F]{2})*$/.test(value)
}

/** True if a value from the server describes one hop of a route. */
export function isHop(value: unknown): value is ConvertHop {
  return isRecord(value) && [value['exchange'], value['from'], value['to']].every((text) => typeof text === 'string')
}
