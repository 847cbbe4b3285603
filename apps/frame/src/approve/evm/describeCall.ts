import type { Banner, ApprovalAction, Row, Value } from '../approvalFacts.ts'
import type { Tokens } from './tokens.ts'
import { isUnlimited } from './isUnlimited.ts'

/** A contract call or a payment. */
export type Call = { readonly to?: `0x${string}`; readonly value: bigint; readonly data: `0x${string}` }

/** The effects of a call as far as its data shows them. */
export type CallDescription = {
  readonly action: ApprovalAction
  readonly rows: readonly Row[]
  readonly banners: readonly Banner[]
  /** Addresses that receive something or gain an allowance. Compared with known recipients. */
  readonly receivers: readonly string[]
}

type Native = { readonly symbol: string; readonly decimals: number }

/** Describes a call. An unknown one is shown as its contract, its selector and all of its data. */
export async function describeCall(call: Call, native: Native, tokens: Tokens): Promise<CallDescription> {
  const { to, value, data } = call
  const paid: readonly Row[] = [
    {
      label: 'amount',
      value: { kind: 'amount', amount: { units: value, decimals: native.decimals, symbol: native.symbol } },
    },
  ]
  if (to === undefined) return { action: 'create', rows: value > 0n ? paid : [], banners: [], receivers: [] }
  if (data === '0x') {
    return { action: 'send', rows: [{ label: 'to', value: addressValue(to) }, ...paid], banners: [], receivers: [to] }
  }
  const known = await describeKnownCall(to, data, tokens)
  if (known !== undefined) return value > 0n ? { ...known, rows: [...known.rows, ...paid] } : known
  const rows: readonly Row[] = [
    { label: 'contract', value: addressValue(to) },
    { label: 'function', value: { kind: 'code', text: data.slice(0, 10) } },
    ...(value > 0n ? paid : []),
  ]
  return { action: 'transaction', rows, banners: [], receivers: [] }
}

/** Describes the calls of ERC-20, ERC-721 and ERC-1155 by their selectors. */
async function describeKnownCall(
  to: `0x${string}`,
  data: string,
  tokens: Tokens,
): Promise<CallDescription | undefined> {
  const words = wordsOf(data)
  const read = Object.hasOwn(readers, data.slice(0, 10)) ? readers[data.slice(0, 10)] : undefined
  try {
    return words === undefined ? undefined : await read?.({ to, words, tokens })
  } catch (error) {
    if (error instanceof UnexpectedCallData) return undefined
    throw error
  }
}

type KnownCall = { to: `0x${string}`; words: readonly string[]; tokens: Tokens }

const readers: Readonly<Record<string, (call: KnownCall) => Promise<CallDescription>>> = {
  '0xa9059cbb': ({ to, words, tokens }) =>
    describeTransfer(tokens, to, { to: addressAt(words, 0), units: numberAt(words, 1) }),
  '0x23b872dd': ({ to, words, tokens }) =>
    describeTransfer(tokens, to, { from: addressAt(words, 0), to: addressAt(words, 1), units: numberAt(words, 2) }),
  '0x095ea7b3': ({ to, words, tokens }) =>
    describeAllowance(tokens, to, { spender: addressAt(words, 0), units: numberAt(words, 1) }),
  '0x39509351': ({ to, words, tokens }) =>
    describeAllowance(tokens, to, { spender: addressAt(words, 0), units: numberAt(words, 1) }),
  '0xd505accf': ({ to, words, tokens }) =>
    describeAllowance(tokens, to, { spender: addressAt(words, 1), units: numberAt(words, 2) }),
  '0xa22cb465': async ({ to, words }) => describeOperatorApproval(to, addressAt(words, 0), numberAt(words, 1) !== 0n),
  '0x42842e0e': async ({ to, words }) =>
    describeItemTransfer(to, addressAt(words, 0), addressAt(words, 1), numberAt(words, 2)),
  '0xb88d4fde': async ({ to, words }) =>
    describeItemTransfer(to, addressAt(words, 0), addressAt(words, 1), numberAt(words, 2)),
  '0xf242432a': async ({ to, words }) =>
    describeItemTransfer(to, addressAt(words, 0), addressAt(words, 1), numberAt(words, 2), numberAt(words, 3)),
}

type Move = { from?: string; to: string; units: bigint }

/** A token without decimals is an NFT collection, and the amount is an item id. */
async function describeTransfer(tokens: Tokens, contract: string, { from, to, units }: Move): Promise<CallDescription> {
  const token = await tokens.of(contract)
  if (token.decimals === undefined && from !== undefined) return describeItemTransfer(contract, from, to, units)
  const sender: readonly Row[] = from === undefined ? [] : [{ label: 'from', value: addressValue(from) }]
  return {
    action: 'send',
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

async function describeAllowance(
  tokens: Tokens,
  contract: string,
  { spender, units }: { spender: string; units: bigint },
): Promise<CallDescription> {
  const token = await tokens.of(contract)
  const isWhole = isUnlimited(units)
  const amount: Value = isWhole
    ? { kind: 'unlimited', symbol: token.symbol }
    : { kind: 'amount', amount: tokens.amount(token, units) }
  return {
    action: units === 0n ? 'revoke' : 'allow',
    rows: [
      { label: 'spender', value: addressValue(spender) },
      { label: 'amount', value: amount },
      { label: 'token', value: addressValue(contract, token.symbol) },
    ],
    banners: isWhole ? [{ kind: 'unlimited' }] : [],
    receivers: [spender],
  }
}

function describeOperatorApproval(collection: string, operator: string, isGranted: boolean): CallDescription {
  return {
    action: isGranted ? 'allow' : 'revoke',
    rows: [
      { label: 'operator', value: addressValue(operator) },
      { label: 'collection', value: addressValue(collection) },
      { label: 'amount', value: { kind: isGranted ? 'everything' : 'none' } },
    ],
    banners: isGranted ? [{ kind: 'everything' }] : [],
    receivers: [operator],
  }
}

function describeItemTransfer(
  collection: string,
  from: string,
  to: string,
  id: bigint,
  count: bigint = 1n,
): CallDescription {
  const counted: readonly Row[] =
    count === 1n ? [] : [{ label: 'amount', value: { kind: 'amount', amount: { units: count, decimals: 0 } } }]
  return {
    action: 'send',
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

class UnexpectedCallData extends Error {}

/** Splits the arguments into words of 32 bytes. Returns `undefined` for data of another form. */
function wordsOf(data: string): readonly string[] | undefined {
  const rest = data.slice(10)
  return rest.length % 64 === 0 ? (rest.match(/.{64}/g) ?? []) : undefined
}

function addressAt(words: readonly string[], index: number): string {
  const word = words[index] ?? ''
  if (!/^0{24}/.test(word)) throw new UnexpectedCallData()
  return `0x${word.slice(24)}`
}

function numberAt(words: readonly string[], index: number): bigint {
  const word = words[index]
  if (word === undefined) throw new UnexpectedCallData()
  return BigInt(`0x${word}`)
}
