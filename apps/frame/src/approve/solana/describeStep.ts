import { bytesToHex } from '@noble/hashes/utils.js'
import type { Banner, ApprovalAction, Row, Value } from '../approvalFacts.ts'
import { readUint } from './byteReader.ts'
import { computeBudget, isTokenProgram, programName, systemProgram } from './programName.ts'

/** An instruction with resolved accounts. */
export type Step = { readonly program: string; readonly accounts: readonly string[]; readonly data: Uint8Array }

/** The effects of an instruction as far as its data shows them. */
export type StepDescription = {
  readonly action: ApprovalAction
  readonly rows: readonly Row[]
  readonly banners: readonly Banner[]
  readonly receivers: readonly string[]
  /** True for instructions that accompany another one and move nothing. */
  readonly isAuxiliary?: boolean
}

/** Known facts about the accounts of the instructions. */
export type TokenContext = {
  /** Returns owner and mint of a token account. */
  holding(account: string): { readonly mint: string; readonly owner: string } | undefined
  decimals(mint: string): number | undefined
  readonly native: { readonly symbol: string; readonly decimals: number }
}

/** Describes an instruction. Returns `undefined` for compute budget instructions, which only set the price. */
export function describeStep(step: Step, known: TokenContext): StepDescription | undefined {
  const { program } = step
  if (program === computeBudget) return undefined
  try {
    if (program === systemProgram) return describeSystemStep(step, known) ?? describeUnknownStep(step)
    if (isTokenProgram(program)) return describeTokenStep(step, known) ?? describeUnknownStep(step)
    if (programName(program) === 'Associated Token Account')
      return describeAccountCreation(step) ?? describeUnknownStep(step)
    if (programName(program) === 'Memo') return describeMemo(step)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return describeUnknownStep(step)
}

function describeUnknownStep({ program, accounts, data }: Step): StepDescription {
  const rows: readonly Row[] = [
    { label: 'program', value: { kind: 'address', address: program, name: programName(program) } },
    ...(data.length === 0 ? [] : [{ label: 'data', value: { kind: 'code', text: `0x${bytesToHex(data)}` } } as const]),
    ...(accounts.length === 0
      ? []
      : [{ label: 'accounts', value: { kind: 'code', text: accounts.join('\n') } } as const]),
  ]
  return { action: 'transaction', rows, banners: [], receivers: [] }
}

function describeSystemStep({ accounts, data }: Step, { native }: TokenContext): StepDescription | undefined {
  const kind = Number(readUint(data, 0, 4))
  const [first = '', second = ''] = accounts
  const amount = (units: bigint): Row => ({
    label: 'amount',
    value: { kind: 'amount', amount: { units, decimals: native.decimals, symbol: native.symbol } },
  })
  if (kind === 2 && data.length === 12) {
    const rows: readonly Row[] = [addressRow('from', first), addressRow('to', second), amount(readUint(data, 4, 8))]
    return { action: 'send', rows, banners: [], receivers: [second] }
  }
  // The program that owns an account may empty it.
  if (kind === 1)
    return { ...describeUnknownStep({ program: systemProgram, accounts, data }), banners: [{ kind: 'delegates' }] }
  return undefined
}

function describeTokenStep({ program, accounts, data }: Step, known: TokenContext): StepDescription | undefined {
  const [first = '', second = '', third = ''] = accounts
  switch (data[0]) {
    case 3:
      return describeTokenTransfer(known, {
        from: first,
        to: second,
        mint: known.holding(first)?.mint,
        units: readUint(data, 1, 8),
      })
    case 12:
      return describeTokenTransfer(known, {
        from: first,
        to: third,
        mint: second,
        units: readUint(data, 1, 8),
        decimals: data[9],
      })
    case 4:
      return describeApproval(known, { spender: second, mint: known.holding(first)?.mint, units: readUint(data, 1, 8) })
    case 13:
      return describeApproval(known, { spender: third, mint: second, units: readUint(data, 1, 8), decimals: data[9] })
    case 5:
      return { ...describeUnknownStep({ program, accounts, data }), action: 'revoke' }
    case 6:
      return { ...describeUnknownStep({ program, accounts, data }), banners: [{ kind: 'delegates' }] }
    default:
      return undefined
  }
}

type Move = { from: string; to: string; mint: string | undefined; units: bigint; decimals?: number }

/** Shows token account and owner, because either can differ from the intended one. */
function describeTokenTransfer(known: TokenContext, { from, to, mint, units, decimals }: Move): StepDescription {
  const owner = known.holding(to)?.owner
  const rows: readonly Row[] = [
    addressRow('from', known.holding(from)?.owner ?? from),
    ...(owner === undefined ? [] : [addressRow('who', owner)]),
    addressRow('to', to),
    ...amountRows(known, mint, units, decimals),
  ]
  return { action: 'send', rows, banners: [], receivers: [owner ?? to] }
}

type Grant = { spender: string; mint: string | undefined; units: bigint; decimals?: number }

function describeApproval(known: TokenContext, { spender, mint, units, decimals }: Grant): StepDescription {
  const isWhole = units >= 2n ** 63n
  const [amount, token] = amountRows(known, mint, units, decimals)
  const value: Row = isWhole
    ? { label: 'amount', value: { kind: 'unlimited' } }
    : (amount ?? addressRow('spender', spender))
  const rows = [addressRow('spender', spender), value, ...(token === undefined ? [] : [token])]
  return { action: 'allow', rows, banners: isWhole ? [{ kind: 'unlimited' }] : [], receivers: [spender] }
}

function amountRows(
  known: TokenContext,
  mint: string | undefined,
  units: bigint,
  knownDecimals?: number,
): readonly Row[] {
  // The network refuses transfers with wrong decimals, so both sources are right.
  const decimals = knownDecimals ?? (mint === undefined ? undefined : known.decimals(mint))
  const amount: Row = { label: 'amount', value: { kind: 'amount', amount: { units, decimals } } }
  return mint === undefined ? [amount] : [amount, addressRow('token', mint)]
}

/** Creates a token account at the payer's cost. Nothing else moves. */
function describeAccountCreation({ accounts, data }: Step): StepDescription | undefined {
  if (data.length > 1 || (data[0] ?? 0) > 1) return undefined
  const [payer = '', , owner = '', mint = ''] = accounts
  const rows: readonly Row[] = [
    { label: 'rent', value: { kind: 'text', text: 'Associated Token Account' } },
    addressRow('payer', payer),
    addressRow('who', owner),
    addressRow('token', mint),
  ]
  return { action: 'transaction', rows, banners: [], receivers: [], isAuxiliary: true }
}

function describeMemo({ data }: Step): StepDescription {
  const text = new TextDecoder().decode(data)
  return {
    action: 'transaction',
    rows: [{ label: 'message', value: { kind: 'text', text } }],
    banners: [],
    receivers: [],
    isAuxiliary: true,
  }
}

function addressRow(label: Row['label'], address: string): Row {
  const value: Value = { kind: 'address', address, name: programName(address) }
  return { label, value }
}
