import {
  getCallsStatus,
  getCapabilities,
  sendCalls,
  waitForCalls,
  type CallBatch,
  type CallsStatus,
  type RequestOptions,
} from '@latchkey/core'
import { useAction, type Action } from './useAction.ts'
import { useLatchkey } from './latchkeyPlugin.ts'

/** Batches of calls (EIP-5792). Each function throws as its action of `@latchkey/core`. */
export type WalletCalls = Action<[batch: CallBatch, options?: RequestOptions], { id: string }> & {
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
 * @example
 * const { sendCalls, waitForCalls } = useWalletCalls()
 * const { id } = await sendCalls({ calls: [{ to, value: 1n }] })
 * const { status } = await waitForCalls(id)
 */
export function useWalletCalls(): WalletCalls {
  const latchkey = useLatchkey()
  const action: Action<[batch: CallBatch, options?: RequestOptions], { id: string }> = useAction(sendCalls)
  return {
    ...action,
    sendCalls: action.mutateAsync,
    getCapabilities: (options) => getCapabilities(latchkey, options),
    getCallsStatus: (id) => getCallsStatus(latchkey, id),
    waitForCalls: (id) => waitForCalls(latchkey, id),
  }
}
