import { base58, base64 } from '@scure/base'
import { refusals } from '../../chain/rpcError.ts'
import type { Asked, ReadingParts } from '../approval.ts'
import type { Banner, Facts, Section } from '../facts.ts'
import { lookAlikes } from '../lookAlike.ts'
import { read } from '../evm/hex.ts'
import { decimalsOf, holdingOf, mostAccounts, readAccounts, resolve, writableIn, type Account } from './accounts.ts'
import { readMessage, readTransaction, writeTransaction, type Message, type Transaction } from './message.ts'
import { nameOf } from './programs.ts'
import { readStep, type Known, type Step, type StepFacts } from './steps.ts'
import { tryOut } from './trial.ts'

/** A transaction that waits for an account's signature. */
export type Waiting = { readonly transaction: Transaction; readonly message: Message; readonly place: number }

const longest = 1_232

/**
 * Reads a transaction as pages write it: base64, and base58 from older ones.
 *
 * @throws RpcError -32602 unless it is one, and waits for the account's signature
 */
export function readWaiting(value: unknown, account: string): Waiting {
  const found = typeof value === 'string' && value.length <= 4 * longest ? tryRead(value) : undefined
  if (found === undefined) throw refusals.invalid('the transaction cannot be read')
  const { transaction, message } = found
  const place = message.accounts.slice(0, message.signers).indexOf(account)
  if (place === -1) throw refusals.invalid('the account does not sign this transaction')
  return { transaction, message, place }
}

function tryRead(text: string): Omit<Waiting, 'place'> | undefined {
  for (const code of [base64, base58]) {
    try {
      const wire = code.decode(text)
      const transaction = readTransaction(wire)
      const message = readMessage(transaction.message)
      if (wire.length <= longest && transaction.signatures.length === message.signers) return { transaction, message }
    } catch {
      // Read in the other way, or told by whoever asked.
    }
  }
  return undefined
}

/** Puts the account's signature in its place. */
export function withSignature({ transaction, place }: Waiting, signature: Uint8Array): Uint8Array {
  return writeTransaction({ ...transaction, signatures: transaction.signatures.with(place, signature) })
}

type Told = Omit<Facts, 'origin' | 'waiting' | 'account' | 'network'> & { readonly receivers: readonly string[] }

/** Tells what transactions do: step by step, and for a single one also what it changes. */
export async function tell(
  asked: Asked,
  parts: ReadingParts,
  { account, waiting, isSent }: { account: string; waiting: readonly Waiting[]; isSent: boolean },
): Promise<Told> {
  const each = await Promise.all(waiting.map((one) => look(asked, parts, account, one)))
  const steps = each.flatMap((one) => one.steps)
  const acting = steps.filter(({ isAside }) => isAside !== true)
  const [only] = acting
  const receivers = steps.flatMap((step) => step.receivers)
  const [first] = each
  const single = each.length === 1 ? first : undefined
  const banners: readonly Banner[] = [
    ...unique(steps.flatMap((step) => step.banners)),
    ...lookAlikes(
      receivers.filter((one) => nameOf(one) === undefined),
      [account, ...(await parts.recipients.list())],
    ),
    ...(single?.trial.changes.kind === 'fails' ? [single.trial.changes] : []),
    ...(each.some(({ trial }) => trial.handsOver) ? [{ kind: 'handsOver' } as const] : []),
  ]
  return {
    deed: each.length > 1 ? 'transactions' : acting.length === 1 && only !== undefined ? only.deed : 'transaction',
    banners: unique(banners),
    sections: sectionsOf(steps),
    changes: single?.trial.changes ?? { kind: 'unknown' },
    ...(isSent && single !== undefined && { fee: { units: single.fee, ...single.native } }),
    receivers,
  }
}

function unique(banners: readonly Banner[]): readonly Banner[] {
  return banners.filter((banner, at) => banners.findIndex(({ kind }) => kind === banner.kind) === at)
}

function sectionsOf(steps: readonly StepFacts[]): readonly Section[] {
  return steps.map(({ rows }) => ({ ...(steps.length > 1 && { title: 'step' as const }), rows }))
}

type Looked = {
  readonly steps: readonly StepFacts[]
  readonly fee: bigint
  readonly trial: Awaited<ReturnType<typeof tryOut>>
  readonly native: { readonly symbol: string; readonly decimals: number }
}

async function look({ network }: Asked, { chain }: ReadingParts, account: string, one: Waiting): Promise<Looked> {
  const { chainId, nativeCurrency } = network
  const native = { symbol: nativeCurrency.symbol, decimals: nativeCurrency.decimals }
  const { transaction, message } = one
  const all = await resolve(chain, chainId, message).catch(() => withoutTables(message))
  const [accounts, fee] = await Promise.all([
    readAccounts(chain, chainId, all.slice(0, mostAccounts)).catch(() => []),
    chain
      .ask(chainId, 'getFeeForMessage', [base64.encode(transaction.message), { commitment: 'confirmed' }])
      .catch(() => undefined),
  ])
  const before = new Map(all.flatMap((address, at) => pair(address, accounts[at])))
  const steps = stepsOf(message, all)
  const known = knownOf(before, steps, native)
  const told = read(fee, 'value')
  // Null is what a node says of a message that got too old meanwhile.
  const cost = typeof told === 'number' ? BigInt(told) : 5_000n * BigInt(message.signers)
  const paid = message.accounts[0] === account ? cost : 0n
  const writable = writableIn(message, all)
  const wire = writeTransaction(transaction)
  const trial = await tryOut({ chain, chainId, account, wire, writable, before, fee: paid, native })
  return {
    steps: steps.map((step) => readStep(step, known)).filter((step) => step !== undefined),
    fee: paid,
    trial,
    native,
  }
}

function pair(address: string, account: Account | undefined): ReadonlyArray<readonly [string, Account]> {
  return account === undefined ? [] : [[address, account]]
}

/** Where a table cannot be read, it is said which place of it is meant. */
function withoutTables({ accounts, lookups }: Message): readonly string[] {
  const placed = (table: string, places: readonly number[]) => places.map((place) => `${table} [${place}]`)
  const written = lookups.flatMap(({ table, writable }) => placed(table, writable))
  return [...accounts, ...written, ...lookups.flatMap(({ table, readonly }) => placed(table, readonly))]
}

function stepsOf({ instructions }: Message, all: readonly string[]): readonly Step[] {
  const at = (place: number): string => all[place] ?? ''
  return instructions.map(({ program, accounts, data }) => ({ program: at(program), accounts: accounts.map(at), data }))
}

/** What accounts of tokens are whose: those that are there, and those that the transaction opens. */
function knownOf(before: ReadonlyMap<string, Account>, steps: readonly Step[], native: Known['native']): Known {
  const opened = new Map(
    steps
      .filter(({ program }) => nameOf(program) === 'Associated Token Account')
      .map(({ accounts: [, address = '', owner = '', mint = ''] }) => [address, { owner, mint }]),
  )
  return {
    holding: (address) => holdingOf(before.get(address)) ?? opened.get(address),
    decimals: (mint) => decimalsOf(before.get(mint)),
    native,
  }
}
