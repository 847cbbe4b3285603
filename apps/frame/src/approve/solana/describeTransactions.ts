import { base58, base64 } from '@scure/base'
import { rpcErrors } from '../../chain/rpcError.ts'
import type { CheckedRequest, ReaderDependencies } from '../approval.ts'
import type { Banner, ApprovalFacts, Section } from '../approvalFacts.ts'
import { findLookAlikes } from '../findLookAlikes.ts'
import {
  decimalsOf,
  holdingOf,
  mostAccounts,
  readAccounts,
  resolveAccounts,
  writableIn,
  type Account,
} from './readAccounts.ts'
import {
  parseMessage,
  parseTransaction,
  serializeTransaction,
  type SolanaMessage,
  type SolanaTransaction,
} from './solanaMessage.ts'
import { isDurable } from './isDurable.ts'
import { programName } from './programName.ts'
import { describeStep, type TokenContext, type Step, type StepDescription } from './describeStep.ts'
import { simulateTransaction } from './simulateTransaction.ts'
import { getMember } from '../../platform/getMember.ts'

/** A transaction that needs the account's signature. `place` is the index of the signature. */
export type PendingTransaction = {
  readonly transaction: SolanaTransaction
  readonly message: SolanaMessage
  readonly place: number
}

const longest = 1_232

/**
 * Parses a transaction in base64, or in base58 as older pages write it.
 *
 * @throws RpcError -32602 if it is malformed or doesn't need the account's signature
 */
export function parsePendingTransaction(value: unknown, account: string): PendingTransaction {
  const found = typeof value === 'string' && value.length <= 4 * longest ? decodeTransaction(value) : undefined
  if (found === undefined) throw rpcErrors.invalid('the transaction cannot be parsed')
  const { transaction, message } = found
  const place = message.accounts.slice(0, message.signers).indexOf(account)
  if (place === -1) throw rpcErrors.invalid('the account is not a signer of this transaction')
  return { transaction, message, place }
}

function decodeTransaction(text: string): Omit<PendingTransaction, 'place'> | undefined {
  for (const code of [base64, base58]) {
    try {
      const wire = code.decode(text)
      const transaction = parseTransaction(wire)
      const message = parseMessage(transaction.message)
      if (wire.length <= longest && transaction.signatures.length === message.signers) return { transaction, message }
    } catch {
      // Try the other encoding. The caller reports the failure.
    }
  }
  return undefined
}

/** Inserts the account's signature. */
export function withSignature({ transaction, place }: PendingTransaction, signature: Uint8Array): Uint8Array {
  return serializeTransaction({ ...transaction, signatures: transaction.signatures.with(place, signature) })
}

type TransactionDescription = Omit<ApprovalFacts, 'origin' | 'waiting' | 'account' | 'network'> & {
  readonly receivers: readonly string[]
}

/** Describes transactions step by step, and the balance changes of a single one. */
export async function describeTransactions(
  checked: CheckedRequest,
  dependencies: ReaderDependencies,
  { account, waiting, isSent }: { account: string; waiting: readonly PendingTransaction[]; isSent: boolean },
): Promise<TransactionDescription> {
  const each = await Promise.all(waiting.map((one) => describeOne(checked, dependencies, account, one)))
  const steps = each.flatMap((one) => one.steps)
  const acting = steps.filter(({ isAuxiliary }) => isAuxiliary !== true)
  const [only] = acting
  const receivers = steps.flatMap((step) => step.receivers)
  const [first] = each
  const single = each.length === 1 ? first : undefined
  const banners: readonly Banner[] = [
    ...deduplicateBanners(steps.flatMap((step) => step.banners)),
    ...(each.some((one) => one.isDurable) ? [{ kind: 'durableNonce' } as const] : []),
    ...findLookAlikes(
      receivers.filter((one) => programName(one) === undefined),
      [account, ...(await dependencies.recipients.list())],
    ),
    ...(single?.trial.changes.kind === 'fails' ? [single.trial.changes] : []),
    ...(each.some(({ trial }) => trial.changesOwner) ? [{ kind: 'delegates' } as const] : []),
  ]
  return {
    action: each.length > 1 ? 'transactions' : acting.length === 1 && only !== undefined ? only.action : 'transaction',
    banners: deduplicateBanners(banners),
    sections: sectionsOf(steps),
    changes: single?.trial.changes ?? { kind: 'unknown' },
    ...(isSent && single !== undefined && { fee: { units: single.fee, ...single.native } }),
    receivers,
  }
}

function deduplicateBanners(banners: readonly Banner[]): readonly Banner[] {
  return banners.filter((banner, at) => banners.findIndex(({ kind }) => kind === banner.kind) === at)
}

function sectionsOf(steps: readonly StepDescription[]): readonly Section[] {
  return steps.map(({ rows }) => ({ ...(steps.length > 1 && { title: 'step' as const }), rows }))
}

type DescribedTransaction = {
  readonly steps: readonly StepDescription[]
  readonly isDurable: boolean
  readonly fee: bigint
  readonly trial: Awaited<ReturnType<typeof simulateTransaction>>
  readonly native: { readonly symbol: string; readonly decimals: number }
}

async function describeOne(
  { network }: CheckedRequest,
  { chain }: ReaderDependencies,
  account: string,
  one: PendingTransaction,
): Promise<DescribedTransaction> {
  const { chainId, nativeCurrency } = network
  const native = { symbol: nativeCurrency.symbol, decimals: nativeCurrency.decimals }
  const { transaction, message } = one
  const all = await resolveAccounts(chain, chainId, message).catch(() => listAddressesWithoutTables(message))
  const [accounts, fee] = await Promise.all([
    readAccounts(chain, chainId, all.slice(0, mostAccounts)).catch(() => []),
    chain
      .request(chainId, 'getFeeForMessage', [base64.encode(transaction.message), { commitment: 'confirmed' }])
      .catch(() => undefined),
  ])
  const before = new Map(all.flatMap((address, at) => toEntry(address, accounts[at])))
  const steps = stepsOf(message, all)
  const known = tokenContextOf(before, steps, native)
  const networkFee = getMember(fee, 'value')
  // Nodes return null for an expired blockhash.
  const cost = typeof networkFee === 'number' ? BigInt(networkFee) : 5_000n * BigInt(message.signers)
  const paid = message.accounts[0] === account ? cost : 0n
  const writable = writableIn(message, all)
  const wire = serializeTransaction(transaction)
  const trial = await simulateTransaction({ chain, chainId, account, wire, writable, before, fee: paid, native })
  return {
    steps: steps.map((step) => describeStep(step, known)).filter((step) => step !== undefined),
    isDurable: isDurable(message),
    fee: paid,
    trial,
    native,
  }
}

function toEntry(address: string, account: Account | undefined): ReadonlyArray<readonly [string, Account]> {
  return account === undefined ? [] : [[address, account]]
}

/** Names the table and index of accounts that can't be resolved. */
function listAddressesWithoutTables({ accounts, lookups }: SolanaMessage): readonly string[] {
  const placed = (table: string, places: readonly number[]) => places.map((place) => `${table} [${place}]`)
  const written = lookups.flatMap(({ table, writable }) => placed(table, writable))
  return [...accounts, ...written, ...lookups.flatMap(({ table, readonly }) => placed(table, readonly))]
}

function stepsOf({ instructions }: SolanaMessage, all: readonly string[]): readonly Step[] {
  const at = (place: number): string => all[place] ?? ''
  return instructions.map(({ program, accounts, data }) => ({ program: at(program), accounts: accounts.map(at), data }))
}

/** Collects the owners of token accounts: existing ones, and those that the transaction creates. */
function tokenContextOf(
  before: ReadonlyMap<string, Account>,
  steps: readonly Step[],
  native: TokenContext['native'],
): TokenContext {
  const opened = new Map(
    steps
      .filter(({ program }) => programName(program) === 'Associated Token Account')
      .map(({ accounts: [, address = '', owner = '', mint = ''] }) => [address, { owner, mint }]),
  )
  return {
    holding: (address) => holdingOf(before.get(address)) ?? opened.get(address),
    decimals: (mint) => decimalsOf(before.get(mint)),
    native,
  }
}
