import { LatchkeyError, parseAccountId, type ChainId, type ConvertHop } from '@latchkey/protocol'
import { isRecord } from '../../isRecord.ts'

/** An account as it is written on a chain; wallets may connect it on another one. */
export function accountOn(account: string, chainId: ChainId): string {
  return `${chainId}:${parseAccountId(account).address}`
}

/** Whether a CAIP-10 id is of a contract on a chain. */
export function isOn(id: string, chainId: ChainId): boolean {
  return id.startsWith(`${chainId}:`) && isAddressText(id.slice(chainId.length + 1))
}

/** A contract, as the exchanges that are asked here are found at. */
export function isAddressText(value: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(value)
}

/**
 * A list of an answer.
 *
 * @throws LatchkeyError `http/invalid-answer`.
 */
export function list(answer: unknown, name: string): readonly unknown[] {
  const entries = isRecord(answer) ? answer[name] : undefined
  if (!Array.isArray(entries)) throw nonsense(name)
  return entries
}

export function nonsense(what: string): LatchkeyError {
  return new LatchkeyError('http/invalid-answer', { what })
}

/** Base units as the server writes them; undefined when it is something else. */
export function readUnits(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^\d{1,78}$/.test(value) ? BigInt(value) : undefined
}

export function isHex(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && /^0x([0-9a-fA-F]{2})*$/.test(value)
}

export function isHop(value: unknown): value is ConvertHop {
  return isRecord(value) && [value['exchange'], value['from'], value['to']].every((text) => typeof text === 'string')
}
