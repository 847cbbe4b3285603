import { formatAmount, parseAmount, type LatchkeyEvent, type TransactionResult } from '@latchkey/core'
import { pendingTransactions, type PendingTransaction } from '@latchkey/core/money'
import { holdingsMessages, type HoldingsMessages } from '@latchkey/modal/messages'
import type { ChainId, HistoryItem, HistoryTransfer } from '@latchkey/protocol'
import { internalsOf } from '@latchkey/core/internal'
import { useEffect, useState } from 'react'
import { useLatchkey, useLatchkeyContext } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { decimalText } from '../../../../messages/quantityText.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { findHistoryParty, signOf } from '../../../money/historyParty.ts'
import { getHistoryValue } from '../../../money/historyValue.ts'
import { useStore } from '../../../../useStore.ts'

/** The facts that the details of a transaction show. */
export type TransactionFacts = {
  name: string
  amounts: readonly string[]
  /** The value on the day of the transaction in dollars, if known. */
  value: number | undefined
  status: 'pending' | 'unknown' | 'reorged' | 'confirmed' | 'failed' | 'replaced' | 'repriced' | 'cancelled'
  /** The hash of the transaction that was mined in its place. */
  by?: string | undefined
  /** The other party. */
  party: TransactionParty | undefined
  /** True if the account sent the transaction, and so paid its fee. */
  isOwn: boolean
  /** Milliseconds since the epoch. */
  at: number
  /** True if the hash is the id of a batch of calls, which no block explorer knows. */
  isBatch: boolean
  /** The entry of a transaction that can still be replaced. */
  pending: PendingTransaction | undefined
}

/** The receiver or sender of the assets: an address, or the name of a token. */
export type TransactionParty = { text: string; isAddress: boolean; isSender: boolean }

/** Returns the facts of a transaction from the pending list or the history. They follow its outcome. */
export function useTransaction({
  chainId,
  hash,
  item,
}: {
  chainId: ChainId
  hash: string
  item?: HistoryItem
}): TransactionFacts {
  const latchkey = useLatchkey()
  const t = useFlowMessages(holdingsMessages)
  const { locale } = useLatchkeyContext()
  const account = useAccount()
  const address = 'address' in account ? account.address : undefined
  const transactions = useStore(pendingTransactions(latchkey)).filter((each) => each.chainId === chainId)
  const now = transactions.find((each) => each.hash === hash)
  const isReplaced = transactions.some(({ replaces }) => replaces === hash)
  const [last, setLast] = useState(now)
  const [result, setResult] = useState<Settled>()
  if (now !== undefined && now !== last) setLast(now)
  useEffect(
    () =>
      latchkey.events.subscribe((event) => {
        if (event.type === 'transaction' && event.hash === hash && event.chainId === chainId) setResult(event)
      }),
    [latchkey, hash, chainId],
  )
  if (item !== undefined && now === undefined) {
    const native = latchkey.networks.find(({ caipNetworkId }) => caipNetworkId === chainId)?.nativeCurrency.symbol
    return factsOfItem(item, { t, locale, native, address })
  }
  if (last !== undefined) {
    const facts = factsOfPending({ t, locale, last, now, result })
    return isReplaced ? { ...facts, pending: undefined } : facts
  }
  const at = internalsOf(latchkey).clock.now()
  const unknown = { value: undefined, party: undefined, isOwn: true, isBatch: false, at, pending: undefined }
  return { name: t.purposes.other, amounts: [], status: 'unknown', ...unknown }
}

type ListedTransaction = {
  t: HoldingsMessages
  locale: string | undefined
  last: PendingTransaction
  now: PendingTransaction | undefined
  result: Settled | undefined
}

function factsOfPending({ t, locale, last, now, result }: ListedTransaction): TransactionFacts {
  const { kind, amount, symbol = '', to } = last.what
  return {
    name: t.purposes[kind],
    amounts: amount === undefined ? [] : [`${decimalText(locale, amount)} ${symbol}`],
    value: undefined,
    status: now === undefined ? resultStatus(result) : now.reorged === true ? 'reorged' : now.status,
    party: to === undefined ? undefined : { text: to, isAddress: isAddress(to), isSender: false },
    isOwn: true,
    isBatch: last.batch === true,
    at: last.since,
    pending: now,
    by: now === undefined ? result?.by : undefined,
  }
}

/** The event of a transaction that settled while its details are shown. */
type Settled = LatchkeyEvent & { type: 'transaction' }

const resultStatuses: Readonly<Record<TransactionResult, TransactionFacts['status']>> = {
  mined: 'confirmed',
  reverted: 'failed',
  replaced: 'replaced',
  reorged: 'unknown',
}

function resultStatus(result: Settled | undefined): TransactionFacts['status'] {
  if (result === undefined) return 'unknown'
  return result.how === undefined || result.how === 'other' ? resultStatuses[result.status] : result.how
}

type HistoryContext = {
  t: HoldingsMessages
  locale: string | undefined
  /** The symbol of the native currency of the network. */
  native: string | undefined
  /** The address of the account. */
  address: string | undefined
}

function factsOfItem(item: HistoryItem, { t, locale, native, address }: HistoryContext): TransactionFacts {
  const { metadata, transfers } = item
  const { operationType, sentFrom, minedAt, status } = metadata
  const party = findHistoryParty(item, native)
  const amountOf = (transfer: HistoryTransfer): string => {
    const { quantity, fungible_info: token, nft_info: nft } = transfer
    const sign = signOf(operationType, transfer)
    if (nft !== null) return `${sign}${nft.name ?? t.unnamedNft}`
    return `${sign}${decimalText(locale, exactText(quantity.numeric))} ${token?.symbol ?? t.unnamedToken}`
  }
  return {
    name: t.operations[operationType],
    amounts: transfers.map(amountOf),
    value: getHistoryValue(item),
    status,
    party: party && { text: party.address, isAddress: true, isSender: party.isSender },
    isOwn: sentFrom.toLowerCase() === address?.toLowerCase(),
    isBatch: false,
    at: Date.parse(minedAt),
    pending: undefined,
  }
}

/** Normalises an amount: no trailing zeros. */
function exactText(numeric: string): string {
  const decimals = numeric.split('.')[1]?.length ?? 0
  return formatAmount(parseAmount(numeric, decimals), decimals)
}

function isAddress(text: string): boolean {
  return /^\w{26,}$/.test(text)
}
