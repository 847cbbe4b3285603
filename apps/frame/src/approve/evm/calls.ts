import type { Banner, Deed, Row, Value } from '../facts.ts'
import type { Tokens } from './tokens.ts'
import { isUnlimited } from './unlimited.ts'

/** A call of a contract, or a payment. */
export type Call = { readonly to?: `0x${string}`; readonly value: bigint; readonly data: `0x${string}` }

/** What a call does, as far as its data tells. */
export type CallFacts = {
  readonly deed: Deed
  readonly rows: readonly Row[]
  readonly banners: readonly Banner[]
  /** Who gets something or may take it: looked up among those who did before. */
  readonly receivers: readonly string[]
}

type Native = { readonly symbol: string; readonly decimals: number }

/** Reads a call's data for people; what is not known is shown as the contract, the first four bytes, and all of it. */
export async function readCall(call: Call, native: Native, tokens: Tokens): Promise<CallFacts> {
  const { to, value, data } = call
  const paid: readonly Row[] = [
    {
      label: 'amount',
      value: { kind: 'amount', amount: { units: value, decimals: native.decimals, symbol: native.symbol } },
    },
  ]
  if (to === undefined) return { deed: 'create', rows: value > 0n ? paid : [], banners: [], receivers: [] }
  if (data === '0x') {
    return { deed: 'send', rows: [{ label: 'to', value: addressOf(to) }, ...paid], banners: [], receivers: [to] }
  }
  const known = await readKnown(to, data, tokens)
  if (known !== undefined) return value > 0n ? { ...known, rows: [...known.rows, ...paid] } : known
  const rows: readonly Row[] = [
    { label: 'contract', value: addressOf(to) },
    { label: 'function', value: { kind: 'code', text: data.slice(0, 10) } },
    ...(value > 0n ? paid : []),
  ]
  return { deed: 'transaction', rows, banners: [], receivers: [] }
}

/** The calls of ERC-20, ERC-721 and ERC-1155 by their first four bytes. */
async function readKnown(to: `0x${string}`, data: string, tokens: Tokens): Promise<CallFacts | undefined> {
  const words = wordsOf(data)
  const read = Object.hasOwn(readers, data.slice(0, 10)) ? readers[data.slice(0, 10)] : undefined
  try {
    return words === undefined ? undefined : await read?.({ to, words, tokens })
  } catch (error) {
    if (error instanceof NotOfForm) return undefined
    throw error
  }
}

type KnownCall = { to: `0x${string}`; words: readonly string[]; tokens: Tokens }

const readers: Readonly<Record<string, (call: KnownCall) => Promise<CallFacts>>> = {
  '0xa9059cbb': ({ to, words, tokens }) => transfer(tokens, to, { to: addressAt(words, 0), units: numberAt(words, 1) }),
  '0x23b872dd': ({ to, words, tokens }) =>
    transfer(tokens, to, { from: addressAt(words, 0), to: addressAt(words, 1), units: numberAt(words, 2) }),
  '0x095ea7b3': ({ to, words, tokens }) =>
    allow(tokens, to, { spender: addressAt(words, 0), units: numberAt(words, 1) }),
  '0x39509351': ({ to, words, tokens }) =>
    allow(tokens, to, { spender: addressAt(words, 0), units: numberAt(words, 1) }),
  '0xd505accf': ({ to, words, tokens }) =>
    allow(tokens, to, { spender: addressAt(words, 1), units: numberAt(words, 2) }),
  '0xa22cb465': async ({ to, words }) => allowAll(to, addressAt(words, 0), numberAt(words, 1) !== 0n),
  '0x42842e0e': async ({ to, words }) => give(to, addressAt(words, 0), addressAt(words, 1), numberAt(words, 2)),
  '0xb88d4fde': async ({ to, words }) => give(to, addressAt(words, 0), addressAt(words, 1), numberAt(words, 2)),
  '0xf242432a': async ({ to, words }) =>
    give(to, addressAt(words, 0), addressAt(words, 1), numberAt(words, 2), numberAt(words, 3)),
}

type Move = { from?: string; to: string; units: bigint }

/** A token without decimals is a collection, and what moves is one item of it. */
async function transfer(tokens: Tokens, contract: string, { from, to, units }: Move): Promise<CallFacts> {
  const token = await tokens.of(contract)
  if (token.decimals === undefined && from !== undefined) return give(contract, from, to, units)
  const sender: readonly Row[] = from === undefined ? [] : [{ label: 'from', value: addressOf(from) }]
  return {
    deed: 'send',
    rows: [
      ...sender,
      { label: 'to', value: addressOf(to) },
      { label: 'amount', value: { kind: 'amount', amount: tokens.amount(token, units) } },
      { label: 'token', value: addressOf(contract, token.symbol) },
    ],
    banners: [],
    receivers: [to],
  }
}

async function allow(
  tokens: Tokens,
  contract: string,
  { spender, units }: { spender: string; units: bigint },
): Promise<CallFacts> {
  const token = await tokens.of(contract)
  const isWhole = isUnlimited(units)
  const amount: Value = isWhole
    ? { kind: 'unlimited', symbol: token.symbol }
    : { kind: 'amount', amount: tokens.amount(token, units) }
  return {
    deed: units === 0n ? 'revoke' : 'allow',
    rows: [
      { label: 'spender', value: addressOf(spender) },
      { label: 'amount', value: amount },
      { label: 'token', value: addressOf(contract, token.symbol) },
    ],
    banners: isWhole ? [{ kind: 'unlimited' }] : [],
    receivers: [spender],
  }
}

function allowAll(collection: string, operator: string, isGranted: boolean): CallFacts {
  return {
    deed: isGranted ? 'allow' : 'revoke',
    rows: [
      { label: 'operator', value: addressOf(operator) },
      { label: 'collection', value: addressOf(collection) },
      { label: 'amount', value: { kind: isGranted ? 'everything' : 'none' } },
    ],
    banners: isGranted ? [{ kind: 'everything' }] : [],
    receivers: [operator],
  }
}

function give(collection: string, from: string, to: string, id: bigint, count: bigint = 1n): CallFacts {
  const counted: readonly Row[] =
    count === 1n ? [] : [{ label: 'amount', value: { kind: 'amount', amount: { units: count, decimals: 0 } } }]
  return {
    deed: 'send',
    rows: [
      { label: 'from', value: addressOf(from) },
      { label: 'to', value: addressOf(to) },
      { label: 'item', value: { kind: 'text', text: `#${id}` } },
      ...counted,
      { label: 'collection', value: addressOf(collection) },
    ],
    banners: [],
    receivers: [to],
  }
}

function addressOf(address: string, name?: string): Value {
  return { kind: 'address', address, name }
}

class NotOfForm extends Error {}

/** The arguments, 32 bytes each; undefined for data that is not made of these. */
function wordsOf(data: string): readonly string[] | undefined {
  const rest = data.slice(10)
  return rest.length % 64 === 0 ? (rest.match(/.{64}/g) ?? []) : undefined
}

function addressAt(words: readonly string[], index: number): string {
  const word = words[index] ?? ''
  if (!/^0{24}/.test(word)) throw new NotOfForm()
  return `0x${word.slice(24)}`
}

function numberAt(words: readonly string[], index: number): bigint {
  const word = words[index]
  if (word === undefined) throw new NotOfForm()
  return BigInt(`0x${word}`)
}
