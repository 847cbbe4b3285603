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
import { useLatchkey } from '../context.ts'

/** Batches of calls (EIP-5792). Each function throws as its action of `@latchkey/core`. */
export type WalletCallsOfHook = {
  getCapabilities(options?: RequestOptions): ReturnType<typeof getCapabilities>
  /** Sends several calls with one approval. */
  sendCalls(batch: CallBatch, options?: RequestOptions): Promise<{ id: string }>
  getCallsStatus(id: string): Promise<CallsStatus>
  /** Waits until a batch is no longer pending. */
  waitForCalls(id: string): Promise<CallsStatus>
}

/**
 * Returns functions that send batches of calls with the connected wallet and track their status.
 *
 * @example const { sendCalls, waitForCalls } = useWalletCalls()
 * const { id } = await sendCalls({ calls: [{ to, value: 1n }, { to, data }] })
 * const { status } = await waitForCalls(id)
 */
export function useWalletCalls(): WalletCallsOfHook {
  const latchkey = useLatchkey()
  return useMemo(
    () => ({
      getCapabilities: (options) => getCapabilities(latchkey, options),
      sendCalls: (batch, options) => sendCalls(latchkey, batch, options),
      getCallsStatus: (id) => getCallsStatus(latchkey, id),
      waitForCalls: (id) => waitForCalls(latchkey, id),
    }),
    [latchkey],
  )
}
