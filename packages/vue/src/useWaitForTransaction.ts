import { waitForTransaction, type Receipt, type TransactionWait } from '@latchkey/core'
import { toValue, shallowRef, watch, type MaybeRefOrGetter } from 'vue'
import { useAccount } from './useAccount.ts'
import { useReadOf, type Read } from './useRead.ts'

type Wait = { hash: string | undefined } & Pick<TransactionWait, 'chainId' | 'timeout' | 'abi'>

/**
 * Waits until a transaction is mined. It continues on the chain on which the hash first appeared, even if the account or
 * the network changes in the meantime.
 *
 * @param options the hash, for example the `data` of `useWriteContract`; nothing happens while it is undefined. `chainId`
 * is the chain of the transaction, `abi` decodes the error of a revert, `timeout` is in milliseconds and 25 seconds if
 * omitted.
 * @returns `data` is the receipt. The error is `transaction/reverted` with the reason, or `transaction/pending` after the
 * timeout: `refetch` then waits again.
 * @example const { data: receipt, isFetching } = useWaitForTransaction({ hash })
 */
export function useWaitForTransaction(options: MaybeRefOrGetter<Wait>): Read<Receipt> {
  const account = useAccount()
  const subject = shallowRef<Wait & { hash: string }>()
  const remember = (): void => {
    const { hash, ...others } = toValue(options)
    const chainId = others.chainId ?? account.value.network?.caipNetworkId
    subject.value = hash === undefined || chainId === undefined ? undefined : { ...others, hash, chainId }
  }
  watch(() => [toValue(options).hash, toValue(options).chainId], remember, { immediate: true, flush: 'sync' })
  return useReadOf(
    subject,
    () => [],
    (latchkey, { hash, ...wait }) => waitForTransaction(latchkey, hash, wait),
  )
}
