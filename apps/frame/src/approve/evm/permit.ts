import type { Banner, Row, Value } from '../facts.ts'
import { isRecord } from '../../services/ask.ts'
import { isAddress } from './hex.ts'
import type { TypedData } from './typedData.ts'
import type { Tokens } from './tokens.ts'
import { isUnlimited } from './unlimited.ts'

/** Typed data that lets somebody take tokens, told as what it does. */
export type Permit = { readonly rows: readonly Row[]; readonly banners: readonly Banner[] }

type Grant = { readonly token: string; readonly amount: bigint | 'everything' }

/**
 * Recognises permits by what they say, not by what they are called: those of ERC-2612 and its forerunner, and those of the
 * contract that most swaps use (one token, several, and transfers with or without a witness).
 *
 * @returns undefined for anything else
 */
export async function readPermit({ domain, message }: TypedData, tokens: Tokens): Promise<Permit | undefined> {
  const { spender } = message
  if (!isAddress(spender)) return undefined
  const grants = grantsOf(message, domain['verifyingContract'])
  if (grants.length === 0) return undefined
  const rows = await Promise.all(grants.map((grant) => rowsOf(grant, tokens)))
  const deadline = ['deadline', 'expiry', 'sigDeadline']
    .map((name) => numberIn(message, name))
    .find((at) => at !== undefined)
  const isWhole = grants.some(({ amount }) => amount === 'everything' || isUnlimited(amount))
  return {
    rows: [
      { label: 'spender', value: { kind: 'address', address: spender } },
      ...rows.flat(),
      ...(deadline === undefined ? [] : [{ label: 'deadline', value: timeOf(deadline) } as const]),
    ],
    banners: isWhole ? [{ kind: 'unlimited' }] : [],
  }
}

function grantsOf(message: TypedData['message'], contract: unknown): readonly Grant[] {
  const listed = message['details'] ?? message['permitted']
  if (listed !== undefined) {
    return (Array.isArray(listed) ? listed : [listed]).filter(isRecord).flatMap((each) => {
      const { token } = each
      const amount = numberIn(each, 'amount')
      return isAddress(token) && amount !== undefined ? [{ token, amount }] : []
    })
  }
  if (!isAddress(contract)) return []
  const { allowed } = message
  if (typeof allowed === 'boolean') return [{ token: contract, amount: allowed ? 'everything' : 0n }]
  const amount = numberIn(message, 'value') ?? numberIn(message, 'amount')
  return amount === undefined ? [] : [{ token: contract, amount }]
}

async function rowsOf({ token: address, amount }: Grant, tokens: Tokens): Promise<readonly Row[]> {
  const token = await tokens.of(address)
  const { symbol } = token
  const value: Value =
    amount === 'everything' || isUnlimited(amount)
      ? { kind: 'unlimited', symbol }
      : { kind: 'amount', amount: tokens.amount(token, amount) }
  return [
    { label: 'amount', value },
    { label: 'token', value: { kind: 'address', address, name: symbol } },
  ]
}

function timeOf(seconds: bigint): Value {
  // Some write a time that no calendar has, and mean for ever.
  return seconds > 8_640_000_000_000n ? { kind: 'none' } : { kind: 'time', at: Number(seconds) * 1_000 }
}

function numberIn(record: Readonly<Record<string, unknown>>, name: string): bigint | undefined {
  const written = Object.hasOwn(record, name) ? String(record[name]) : ''
  return /^(?:\d{1,78}|0x[\da-f]{1,64})$/i.test(written) ? BigInt(written) : undefined
}
