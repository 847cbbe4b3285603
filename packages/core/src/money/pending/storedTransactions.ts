import { parseAccountId, type AccountId, type ChainId, isRecord } from '@latchkey/protocol'
import {
  addMined,
  addPending,
  findPending,
  isSameTransaction,
  transactionKey,
  type PendingTransaction,
  type Purpose,
  type TransactionIdentity,
  type TransactionLedger,
} from './pendingTransactions.ts'

/**
 * The bounds per account and chain. The bytes are those of a cookie, in which most punctuation takes three. The ids of
 * some wallets' batches have several words.
 */
export const storedLimits = { count: 10, bytes: 3_500, textLength: 128, batchIdLength: 512 } as const

/** The number of settled transactions that are remembered. */
const settledLimit = 500

type Place = { readonly chainId: ChainId; readonly from: AccountId }
type Stored = PendingTransaction & { readonly minedBy?: string }

/**
 * Stores the pending transactions of an account on a chain, so that they survive a reload. Entries of other tabs are
 * kept.
 */
export function storeTransactions(ledger: TransactionLedger, place: Place): void {
  const { pending, mined, settled, memory } = ledger
  const own: readonly Stored[] = [
    ...pending.getState(),
    ...mined.getState().map(({ transaction, by }) => ({ ...transaction, minedBy: by })),
  ].filter((each) => isAt(each, place))
  const others = readStored(ledger, place).filter(
    (each) => !own.some((other) => isSameTransaction(each, other)) && !settled.has(transactionKey(each)),
  )
  const records = [...own, ...others].toSorted(byImportance).map(toRecord)
  const bounded = records.slice(0, storedLimits.count)
  while (encodeURIComponent(JSON.stringify(bounded)).length > storedLimits.bytes) bounded.pop()
  memory.write(keyOf(place), bounded.length === 0 ? undefined : bounded)
}

/** Marks a transaction as settled, so that the entry of another tab does not bring it back. */
export function markSettled({ settled }: TransactionLedger, of: TransactionIdentity): void {
  settled.add(transactionKey(of))
  if (settled.size <= settledLimit) return
  const [oldest] = settled
  if (oldest !== undefined) settled.delete(oldest)
}

/** Adds the stored transactions of an account on a chain to the lists, unless this page has them or saw them settle. */
export function loadTransactions(ledger: TransactionLedger, place: Place): void {
  const mined = ledger.mined.getState()
  for (const { minedBy, ...stored } of readStored(ledger, place).toReversed()) {
    const isKnown =
      ledger.settled.has(transactionKey(stored)) ||
      findPending(ledger, stored) !== undefined ||
      mined.some(({ transaction }) => isSameTransaction(transaction, stored))
    if (isKnown) continue
    if (minedBy === undefined) addPending(ledger, stored)
    else addMined(ledger, { transaction: stored, by: minedBy })
  }
}

function readStored({ memory, clock }: TransactionLedger, place: Place): readonly Stored[] {
  const stored = memory.read(keyOf(place))
  if (!Array.isArray(stored)) return []
  return stored.slice(0, storedLimits.count).flatMap((each) => parseStoredTransaction(each, place, clock.now()))
}

/** Pending transactions first, then the newest. */
function byImportance(one: Stored, other: Stored): number {
  const isMined = ({ minedBy }: Stored): number => (minedBy === undefined ? 0 : 1)
  return isMined(one) - isMined(other) || other.since - one.since
}

function keyOf({ chainId, from }: Place): string {
  return `pending/${chainId}/${parseAccountId(from).address}`
}

function isAt(transaction: PendingTransaction, place: Place): boolean {
  return keyOf(transaction) === keyOf(place)
}

/** The signed transaction of an unconfirmed one is not stored, so it can't be sent again after a reload. */
function toRecord(transaction: Stored): object {
  const {
    chainId: _chainId,
    from: _from,
    status: _status,
    isUnconfirmed: _sends,
    block,
    lastBlock,
    ...rest
  } = transaction
  return { ...rest, block: block?.toString(), lastBlock: lastBlock?.toString() }
}

/**
 * Parses a stored transaction. Every script of the page can write to its storage, so an entry of another form is
 * dropped.
 */
export function parseStoredTransaction(value: unknown, { chainId, from }: Place, now: number): Stored[] {
  if (!isRecord(value)) return []
  const { hash, nonce, expectedNonce, block, lastBlock, content, spends, replaces, since, reorged, minedBy, batch } =
    value
  const what = parsePurpose(value['what'])
  const hashLength = batch === true ? storedLimits.batchIdLength : storedLimits.textLength
  if (!isTextUpTo(hash, hashLength) || what === undefined) return []
  if (typeof since !== 'number' || !Number.isSafeInteger(since) || since < 0) return []
  if (![nonce, expectedNonce].every(isOptionalNonce)) return []
  if (![block, lastBlock].every(isOptionalBlock) || ![content, spends, replaces, minedBy].every(isOptionalText))
    return []
  return [
    {
      hash,
      chainId,
      from,
      what,
      // A time in the future would never become old.
      since: Math.min(since, now),
      status: 'pending',
      ...(isNonce(nonce) ? { nonce } : {}),
      ...(isNonce(expectedNonce) ? { expectedNonce } : {}),
      ...(typeof block === 'string' ? { block: BigInt(block) } : {}),
      ...(typeof lastBlock === 'string' ? { lastBlock: BigInt(lastBlock) } : {}),
      ...(isShortText(content) ? { content } : {}),
      ...(isShortText(spends) ? { spends } : {}),
      ...(isShortText(replaces) ? { replaces } : {}),
      ...(isShortText(minedBy) ? { minedBy } : {}),
      ...(reorged === true ? { reorged } : {}),
      ...(batch === true ? { batch } : {}),
    },
  ]
}

const purposeKinds: readonly Purpose['kind'][] = ['send', 'swap', 'approve', 'revoke', 'name', 'cancel', 'other']

function parsePurpose(value: unknown): Purpose | undefined {
  if (!isRecord(value)) return undefined
  const { amount, symbol, to, name } = value
  const kind = purposeKinds.find((each) => each === value['kind'])
  if (kind === undefined || ![amount, symbol, to, name].every(isOptionalText)) return undefined
  // The amount is parsed to draw it.
  if (typeof amount === 'string' && !/^\d+(\.\d+)?$/.test(amount)) return undefined
  return {
    kind,
    ...(isShortText(amount) ? { amount } : {}),
    ...(isShortText(symbol) ? { symbol } : {}),
    ...(isShortText(to) ? { to } : {}),
    ...(isShortText(name) ? { name } : {}),
  }
}

function isShortText(value: unknown): value is string {
  return isTextUpTo(value, storedLimits.textLength)
}

function isTextUpTo(value: unknown, length: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= length
}

function isNonce(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function isOptionalNonce(value: unknown): boolean {
  return value === undefined || isNonce(value)
}

function isOptionalBlock(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && /^\d{1,20}$/.test(value))
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || isShortText(value)
}
