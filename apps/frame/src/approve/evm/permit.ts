import type { Banner, Row, Value } from '../approvalFacts.ts'
import { isAddress } from './parseQuantity.ts'
import type { TypedData } from './typedData.ts'
import type { Tokens } from './tokens.ts'
import { isUnlimited } from './isUnlimited.ts'
import { isJsonObject } from '../../platform/isJsonObject.ts'

/** Typed data that grants an allowance, described by its effect. */
export type Permit = { readonly rows: readonly Row[]; readonly banners: readonly Banner[] }

type Grant = { readonly token: string; readonly amount: bigint | 'everything' }

/**
 * Recognises permits by their content, not by their name: ERC-2612 and its predecessor, and Permit2 (single, batch, and
 * transfers with or without a witness).
 *
 * @returns `undefined` for other data
 */
export async function parsePermit({ domain, message }: TypedData, tokens: Tokens): Promise<Permit | undefined> {
  const { spender } = message
  if (!isAddress(spender)) return undefined
  const grants = findGrants(message, domain['verifyingContract'])
  if (grants.length === 0) return undefined
  const rows = await Promise.all(grants.map((grant) => grantRows(grant, tokens)))
  const deadline = ['deadline', 'expiry', 'sigDeadline']
    .map((name) => getNumber(message, name))
    .find((at) => at !== undefined)
  const isWhole = grants.some(({ amount }) => amount === 'everything' || isUnlimited(amount))
  return {
    rows: [
      { label: 'spender', value: { kind: 'address', address: spender } },
      ...rows.flat(),
      ...(deadline === undefined ? [] : [{ label: 'deadline', value: deadlineValue(deadline) } as const]),
    ],
    banners: isWhole ? [{ kind: 'unlimited' }] : [],
  }
}

function findGrants(message: TypedData['message'], contract: unknown): readonly Grant[] {
  const listed = message['details'] ?? message['permitted']
  if (listed !== undefined) {
    return (Array.isArray(listed) ? listed : [listed]).filter(isJsonObject).flatMap((each) => {
      const { token } = each
      const amount = getNumber(each, 'amount')
      return isAddress(token) && amount !== undefined ? [{ token, amount }] : []
    })
  }
  if (!isAddress(contract)) return []
  const { allowed } = message
  if (typeof allowed === 'boolean') return [{ token: contract, amount: allowed ? 'everything' : 0n }]
  const amount = getNumber(message, 'value') ?? getNumber(message, 'amount')
  return amount === undefined ? [] : [{ token: contract, amount }]
}

async function grantRows({ token: address, amount }: Grant, tokens: Tokens): Promise<readonly Row[]> {
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

function deadlineValue(seconds: bigint): Value {
  // Times beyond the calendar mean "never expires".
  return seconds > 8_640_000_000_000n ? { kind: 'none' } : { kind: 'time', at: Number(seconds) * 1_000 }
}

function getNumber(record: Readonly<Record<string, unknown>>, name: string): bigint | undefined {
  const written = Object.hasOwn(record, name) ? String(record[name]) : ''
  return /^(?:\d{1,78}|0x[\da-f]{1,64})$/i.test(written) ? BigInt(written) : undefined
}
