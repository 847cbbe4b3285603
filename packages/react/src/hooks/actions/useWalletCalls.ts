import {
  getCallsStatus,
  getCapabilities,
  sendCalls,
  waitForCalls,
  type CallBatch,
  type CallsStatus,
  type RequestOptions,
} from '@latchkey/core'
import { useMemo } from 'react'
import { useLatchkey } from '../../context.ts'
import { useAction, type Action } from './useAction.ts'

/** Batches of calls (EIP-5792). Each function throws as its action of `@latchkey/core`. */
export type UseWalletCallsResult = Action<[batch: CallBatch, options?: RequestOptions], { id: string }> & {
  getCapabilities(options?: RequestOptions): ReturnType<typeof getCapabilities>
  /** Sends several calls with one approval. The same as `mutateAsync`. */
  sendCalls(batch: CallBatch, options?: RequestOptions): Promise<{ id: string }>
  getCallsStatus(id: string): Promise<CallsStatus>
  /** Waits until a batch is no longer pending. */
  waitForCalls(id: string): Promise<CallsStatus>
}

/**
 * Sends batches of calls with the connected wallet, and tracks their status.
 *
 * @returns the state of the last batch and the functions that send one; `data` has its id
 * @example const { sendCalls, waitForCalls } = useWalletCalls()
 * const { id } = await sendCalls({ calls: [{ to, value: 1n }, { to, data }] })
 * const { status } = await waitForCalls(id)
 */
export function useWalletCalls(): UseWalletCallsResult {
  const latchkey = useLatchkey()
  const action = useAction(sendCalls)
  const reads = useMemo(
    () => ({
      getCapabilities: (options?: RequestOptions) => getCapabilities(latchkey, options),
      getCallsStatus: (id: string) => getCallsStatus(latchkey, id),
      waitForCalls: (id: string) => waitForCalls(latchkey, id),
    }),
    [latchkey],
  )
  return { ...action, ...reads, sendCalls: action.mutateAsync }
}
