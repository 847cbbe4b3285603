import type { Banner, Row, Value } from '../approvalFacts.ts'
import type { CallEffect, SeaportOrder } from './calls/callEffects.ts'
import { deadlineValue } from './deadlineValue.ts'
import { isUnlimited } from './isUnlimited.ts'
import type { Tokens } from './tokens.ts'
import { isPoorTrade, orderRows } from './typed/seaportOrder.ts'

/** An effect as rows and warnings. */
export type DescribedEffect = {
  readonly rows: readonly Row[]
  readonly banners: readonly Banner[]
  /** Addresses that receive something or gain an allowance. */
  readonly receivers: readonly string[]
}

type Native = { readonly symbol: string; readonly decimals: number }

/** Describes one effect of a call or of signed data. */
export async function describeEffect(effect: CallEffect, native: Native, tokens: Tokens): Promise<DescribedEffect> {
  switch (effect.kind) {
    case 'transfer':
      return describeTransfer(tokens, effect)
    case 'item':
      return describeItemTransfer(effect)
    case 'allowance':
      return describeAllowance(tokens, effect)
    case 'operator':
      return describeOperatorApproval(effect)
    case 'order':
      return describeOrder(effect.order, native, tokens)
    case 'payout':
      return describePayout(tokens, effect)
    case 'incomplete':
      return { rows: [], banners: [], receivers: [] }
    case 'delegates':
      return { rows: [], banners: [{ kind: 'delegates' }], receivers: [] }
    case 'unreadable':
      return { rows: [], banners: [{ kind: 'rawHash' }], receivers: [] }
  }
}

type Effect<kind extends CallEffect['kind']> = Extract<CallEffect, { kind: kind }>

/** Describes an order of Seaport that is signed, or valid without a signature. */
export async function describeOrder(order: SeaportOrder, native: Native, tokens: Tokens): Promise<DescribedEffect> {
  const [rows, isPoor] = await Promise.all([orderRows(order, native, tokens), isPoorTrade(order, native, tokens)])
  return { rows, banners: isPoor ? [{ kind: 'poorTrade' }] : [], receivers: [] }
}

/** A token without decimals is an NFT collection, and the amount is an item id. */
async function describeTransfer(
  tokens: Tokens,
  { token: contract, from, to, units }: Effect<'transfer'>,
): Promise<DescribedEffect> {
  const token = await tokens.of(contract)
  if (token.decimals === undefined && from !== undefined)
    return describeItemTransfer({ kind: 'item', collection: contract, from, to, id: units, count: 1n })
  const sender: readonly Row[] = from === undefined ? [] : [{ label: 'from', value: addressValue(from) }]
  return {
    rows: [
      ...sender,
      { label: 'to', value: addressValue(to) },
      { label: 'amount', value: { kind: 'amount', amount: tokens.amount(token, units) } },
      { label: 'token', value: addressValue(contract, token.symbol) },
    ],
    banners: [],
    receivers: [to],
  }
}

async function describePayout(tokens: Tokens, { token, to }: Effect<'payout'>): Promise<DescribedEffect> {
  const isNative = /^0x0+$/.test(token)
  const asset: readonly Row[] = isNative
    ? []
    : [{ label: 'token', value: addressValue(token, (await tokens.of(token)).symbol) }]
  return { rows: [{ label: 'to', value: addressValue(to) }, ...asset], banners: [], receivers: [to] }
}

async function describeAllowance(
  tokens: Tokens,
  { token: contract, spender, units, deadline }: Effect<'allowance'>,
): Promise<DescribedEffect> {
  const token = await tokens.of(contract)
  const isWhole = isUnlimited(units, token.supply)
  const amount: Value = isWhole
    ? { kind: 'unlimited', symbol: token.symbol }
    : { kind: 'amount', amount: tokens.amount(token, units) }
  return {
    rows: [
      { label: 'spender', value: addressValue(spender) },
      { label: 'amount', value: amount },
      { label: 'token', value: addressValue(contract, token.symbol) },
      ...(deadline === undefined ? [] : [{ label: 'deadline', value: deadlineValue(deadline) } as const]),
    ],
    banners: isWhole ? [{ kind: 'unlimited' }] : [],
    receivers: [spender],
  }
}

function describeOperatorApproval({ collection, operator, isGranted }: Effect<'operator'>): DescribedEffect {
  return {
    rows: [
      { label: 'operator', value: addressValue(operator) },
      { label: 'collection', value: addressValue(collection) },
      { label: 'amount', value: { kind: isGranted ? 'everything' : 'none' } },
    ],
    banners: isGranted ? [{ kind: 'everything' }] : [],
    receivers: [operator],
  }
}

function describeItemTransfer({ collection, from, to, id, count }: Effect<'item'>): DescribedEffect {
  const counted: readonly Row[] =
    count === 1n ? [] : [{ label: 'amount', value: { kind: 'amount', amount: { units: count, decimals: 0 } } }]
  return {
    rows: [
      { label: 'from', value: addressValue(from) },
      { label: 'to', value: addressValue(to) },
      { label: 'item', value: { kind: 'text', text: `#${id}` } },
      ...counted,
      { label: 'collection', value: addressValue(collection) },
    ],
    banners: [],
    receivers: [to],
  }
}

function addressValue(address: string, name?: string): Value {
  return { kind: 'address', address, name }
}
