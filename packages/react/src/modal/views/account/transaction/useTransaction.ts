import { formatAmount, parseAmount, type TransactionResult } from '@latchkey/core'
import { pendingTransactions, type PendingTransaction } from '@latchkey/core/money'
import { holdingsMessages, type HoldingsMessages } from '@latchkey/modal/messages'
import type { ChainId, HistoryItem } from '@latchkey/protocol'
import { internalsOf } from '@latchkey/core/internal'
import { useEffect, useState } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { getHistoryValue } from '../../../money/historyValue.ts'
import { useStore } from '../../../../useStore.ts'

/** The facts that the details of a transaction show. */
export type TransactionFacts = {
  name: string
  amounts: readonly string[]
  /** The value on the day of the transaction in dollars, if known. */
  value: number | undefined
  status: 'pending' | 'unknown' | 'reorged' | 'confirmed' | 'failed' | 'replaced'
  /** The other party: an address, or the name of a token. */
  party: string | undefined
  isAddress: boolean
  isIncoming: boolean
  /** Milliseconds since the epoch. */
  at: number
  /** True if the hash is the id of a batch of calls, which no block explorer knows. */
  isBatch: boolean
  /** The entry of a transaction that can still be replaced. */
  pending: PendingTransaction | undefined
}

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
  const transactions = useStore(pendingTransactions(latchkey)).filter((each) => each.chainId === chainId)
  const now = transactions.find((each) => each.hash === hash)
  const isReplaced = transactions.some(({ replaces }) => replaces === hash)
  const [last, setLast] = useState(now)
  const [result, setResult] = useState<TransactionResult>()
  if (now !== undefined && now !== last) setLast(now)
  useEffect(
    () =>
      latchkey.events.subscribe((event) => {
        if (event.type === 'transaction' && event.hash === hash && event.chainId === chainId) setResult(event.status)
      }),
    [latchkey, hash, chainId],
  )
  if (item !== undefined && now === undefined) return factsOfItem(t, item)
  if (last !== undefined) {
    const facts = factsOfPending(t, last, now, result)
    return isReplaced ? { ...facts, pending: undefined } : facts
  }
  const at = internalsOf(latchkey).clock.now()
  const unknown = {
    value: undefined,
    party: undefined,
    isAddress: false,
    isIncoming: false,
    isBatch: false,
    at,
    pending: undefined,
  }
  return { name: t.purposes.other, amounts: [], status: 'unknown', ...unknown }
}

function factsOfPending(
  t: HoldingsMessages,
  last: PendingTransaction,
  now: PendingTransaction | undefined,
  result: TransactionResult | undefined,
): TransactionFacts {
  const { kind, amount, symbol = '', to } = last.what
  return {
    name: t.purposes[kind],
    amounts: amount === undefined ? [] : [`${amount} ${symbol}`],
    value: undefined,
    status: now === undefined ? resultStatus(result) : now.reorged === true ? 'reorged' : now.status,
    party: to,
    isAddress: to !== undefined && isAddress(to),
    isIncoming: false,
    isBatch: last.batch === true,
    at: last.since,
    pending: now,
  }
}

function resultStatus(result: TransactionResult | undefined): TransactionFacts['status'] {
  if (result === 'mined') return 'confirmed'
  if (result === 'reverted') return 'failed'
  return result === 'replaced' ? 'replaced' : 'unknown'
}

function factsOfItem(t: HoldingsMessages, item: HistoryItem): TransactionFacts {
  const { metadata, transfers } = item
  const { operationType, sentFrom, sentTo, minedAt, status } = metadata
  const isIncoming = operationType === 'receive'
  const party = isIncoming ? sentFrom : sentTo
  return {
    name: t.operations[operationType],
    amounts: transfers.map(({ quantity, fungible_info: token, nft_info: nft }) =>
      nft === null ? `${exactText(quantity.numeric)} ${token?.symbol ?? t.unnamedToken}` : (nft.name ?? t.unnamedNft),
    ),
    value: getHistoryValue(item),
    status,
    party: party === '' ? undefined : party,
    isAddress: true,
    isIncoming,
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
