import { bytesToHex } from '@noble/hashes/utils.js'
import type { Banner, Deed, Row, Value } from '../facts.ts'
import { numberIn } from './bytes.ts'
import { computeBudget, isTokenProgram, nameOf, systemProgram } from './programs.ts'

/** An instruction with its accounts by their addresses. */
export type Step = { readonly program: string; readonly accounts: readonly string[]; readonly data: Uint8Array }

/** What a step does, as far as its data tells. */
export type StepFacts = {
  readonly deed: Deed
  readonly rows: readonly Row[]
  readonly banners: readonly Banner[]
  readonly receivers: readonly string[]
  /** It goes along with another step, and moves nothing. */
  readonly isAside?: boolean
}

/** What is known of the accounts that steps name. */
export type Known = {
  /** Who owns an account of tokens, and of which. */
  holding(account: string): { readonly mint: string; readonly owner: string } | undefined
  decimals(mint: string): number | undefined
  readonly native: { readonly symbol: string; readonly decimals: number }
}

/** Reads a step for people; undefined for one that only prices the transaction. */
export function readStep(step: Step, known: Known): StepFacts | undefined {
  const { program } = step
  if (program === computeBudget) return undefined
  try {
    if (program === systemProgram) return readSystem(step, known) ?? unknown(step)
    if (isTokenProgram(program)) return readToken(step, known) ?? unknown(step)
    if (nameOf(program) === 'Associated Token Account') return readOpening(step) ?? unknown(step)
    if (nameOf(program) === 'Memo') return readMemo(step)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return unknown(step)
}

function unknown({ program, accounts, data }: Step): StepFacts {
  const rows: readonly Row[] = [
    { label: 'program', value: { kind: 'address', address: program, name: nameOf(program) } },
    ...(data.length === 0 ? [] : [{ label: 'data', value: { kind: 'code', text: `0x${bytesToHex(data)}` } } as const]),
    ...(accounts.length === 0
      ? []
      : [{ label: 'accounts', value: { kind: 'code', text: accounts.join('\n') } } as const]),
  ]
  return { deed: 'transaction', rows, banners: [], receivers: [] }
}

function readSystem({ accounts, data }: Step, { native }: Known): StepFacts | undefined {
  const kind = Number(numberIn(data, 0, 4))
  const [first = '', second = ''] = accounts
  const amount = (units: bigint): Row => ({
    label: 'amount',
    value: { kind: 'amount', amount: { units, decimals: native.decimals, symbol: native.symbol } },
  })
  if (kind === 2 && data.length === 12) {
    const rows: readonly Row[] = [row('from', first), row('to', second), amount(numberIn(data, 4, 8))]
    return { deed: 'send', rows, banners: [], receivers: [second] }
  }
  // Whose program an account is, is who may empty it.
  if (kind === 1) return { ...unknown({ program: systemProgram, accounts, data }), banners: [{ kind: 'handsOver' }] }
  return undefined
}

function readToken({ program, accounts, data }: Step, known: Known): StepFacts | undefined {
  const [first = '', second = '', third = ''] = accounts
  switch (data[0]) {
    case 3:
      return transfer(known, { from: first, to: second, mint: known.holding(first)?.mint, units: numberIn(data, 1, 8) })
    case 12:
      return transfer(known, { from: first, to: third, mint: second, units: numberIn(data, 1, 8), decimals: data[9] })
    case 4:
      return allow(known, { spender: second, mint: known.holding(first)?.mint, units: numberIn(data, 1, 8) })
    case 13:
      return allow(known, { spender: third, mint: second, units: numberIn(data, 1, 8), decimals: data[9] })
    case 5:
      return { ...unknown({ program, accounts, data }), deed: 'revoke' }
    case 6:
      return { ...unknown({ program, accounts, data }), banners: [{ kind: 'handsOver' }] }
    default:
      return undefined
  }
}

type Move = { from: string; to: string; mint: string | undefined; units: bigint; decimals?: number }

/** The account that gets it is somebody's: both are shown, for either can be another than was meant. */
function transfer(known: Known, { from, to, mint, units, decimals }: Move): StepFacts {
  const owner = known.holding(to)?.owner
  const rows: readonly Row[] = [
    row('from', known.holding(from)?.owner ?? from),
    ...(owner === undefined ? [] : [row('who', owner)]),
    row('to', to),
    ...amountRows(known, mint, units, decimals),
  ]
  return { deed: 'send', rows, banners: [], receivers: [owner ?? to] }
}

type Grant = { spender: string; mint: string | undefined; units: bigint; decimals?: number }

function allow(known: Known, { spender, mint, units, decimals }: Grant): StepFacts {
  const isWhole = units >= 2n ** 63n
  const [amount, token] = amountRows(known, mint, units, decimals)
  const value: Row = isWhole ? { label: 'amount', value: { kind: 'unlimited' } } : (amount ?? row('spender', spender))
  const rows = [row('spender', spender), value, ...(token === undefined ? [] : [token])]
  return { deed: 'allow', rows, banners: isWhole ? [{ kind: 'unlimited' }] : [], receivers: [spender] }
}

function amountRows(known: Known, mint: string | undefined, units: bigint, told?: number): readonly Row[] {
  // The network refuses a transfer that names other decimals than the token has, so either is true.
  const decimals = told ?? (mint === undefined ? undefined : known.decimals(mint))
  const amount: Row = { label: 'amount', value: { kind: 'amount', amount: { units, decimals } } }
  return mint === undefined ? [amount] : [amount, row('token', mint)]
}

/** Opens an account for tokens at the payer's cost: not a move of anything else. */
function readOpening({ accounts, data }: Step): StepFacts | undefined {
  if (data.length > 1 || (data[0] ?? 0) > 1) return undefined
  const [payer = '', , owner = '', mint = ''] = accounts
  const rows: readonly Row[] = [
    { label: 'rent', value: { kind: 'text', text: 'Associated Token Account' } },
    row('payer', payer),
    row('who', owner),
    row('token', mint),
  ]
  return { deed: 'transaction', rows, banners: [], receivers: [], isAside: true }
}

function readMemo({ data }: Step): StepFacts {
  const text = new TextDecoder().decode(data)
  return {
    deed: 'transaction',
    rows: [{ label: 'message', value: { kind: 'text', text } }],
    banners: [],
    receivers: [],
    isAside: true,
  }
}

function row(label: Row['label'], address: string): Row {
  const value: Value = { kind: 'address', address, name: nameOf(address) }
  return { label, value }
}
