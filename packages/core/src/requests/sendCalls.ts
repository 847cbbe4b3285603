import { type ChainId, type Namespace, transactionError, requestError } from '@latchkey/protocol'
import type { Call, CallsStatus, Permission, WalletAsset, WalletCalls } from '../contracts/adapter.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import type { ActiveConnection } from '../state/connectedWallets.ts'
import { connectionForRequest, type RequestOptions } from './requestOptions.ts'
import { untilApprovalsClose } from './untilApprovalsClose.ts'

const pollMilliseconds = 1_000
const waitMilliseconds = 60_000

/**
 * Returns the capabilities of the connected wallet on each chain (EIP-5792).
 *
 * @throws LatchkeyError `connection/not-connected`, `request/not-allowed` if the namespace does not support it [R8.3.9]
 * @example const { atomic } = (await getCapabilities(latchkey))['eip155:1'] ?? {}
 */
export async function getCapabilities(
  latchkey: Latchkey,
  options: RequestOptions = {},
): Promise<Readonly<Record<ChainId, Readonly<Record<string, unknown>>>>> {
  const { calls, state } = await callsOf(latchkey, 'wallet_getCapabilities', options)
  return calls.getCapabilities(state.connection, state.account)
}

/** A batch of calls for one approval. */
export type CallBatch = { calls: readonly Call[]; atomic?: boolean; capabilities?: Readonly<Record<string, unknown>> }

/**
 * Requests a batch of calls from the connected wallet, with one approval (EIP-5792).
 *
 * @returns the id for `getCallsStatus`
 * @throws LatchkeyError `connection/not-connected`, `request/rejected`, `request/not-allowed` if the wallet does not
 * support it
 * @example const { id } = await sendCalls(latchkey, { calls: [{ to, value }] })
 */
export async function sendCalls(
  latchkey: Latchkey,
  batch: CallBatch,
  options: RequestOptions = {},
): Promise<{ id: string }> {
  const live = await callsOf(latchkey, 'wallet_sendCalls', options)
  const { connection, account } = live.state
  return untilApprovalsClose(latchkey, live, 'wallet_sendCalls', live.calls.sendCalls(connection, account, batch))
}

/** Requests a batch of the modal's own flows. Like `sendTracked`, it waits for the wallet after the modal closed. */
export async function submitCalls(
  latchkey: Latchkey,
  batch: CallBatch,
  options: RequestOptions,
): Promise<{ id: string }> {
  const { calls, state } = await callsOf(latchkey, 'wallet_sendCalls', options)
  return calls.sendCalls(state.connection, state.account, batch)
}

/**
 * Returns the status of a batch.
 *
 * @throws LatchkeyError `connection/not-connected`, `request/not-allowed`, `wallet/invalid-response`.
 * @example const { status } = await getCallsStatus(latchkey, id)
 */
export async function getCallsStatus(
  latchkey: Latchkey,
  id: string,
  { namespace }: { namespace?: Namespace } = {},
): Promise<CallsStatus> {
  const { calls, state } = await callsOf(latchkey, 'wallet_getCallsStatus', { namespace })
  return calls.getCallsStatus(state.connection, id)
}

/**
 * Waits until a batch is no longer pending. Times out after a minute by default.
 *
 * @throws LatchkeyError `transaction/pending` on timeout; the batch may still be executed
 * @example const { status, receipts } = await waitForCalls(latchkey, id)
 */
export async function waitForCalls(
  latchkey: Latchkey,
  id: string,
  {
    timeout = waitMilliseconds,
    signal,
    ...options
  }: { timeout?: number; signal?: AbortSignal; namespace?: Namespace } = {},
): Promise<CallsStatus> {
  const until = latchkey.internal.clock.now() + timeout
  for (;;) {
    signal?.throwIfAborted()
    const status = await getCallsStatus(latchkey, id, options)
    if (status.status !== 'pending') return status
    if (latchkey.internal.clock.now() >= until)
      throw transactionError('transaction/pending', { hash: id, seconds: timeout / 1_000 })
    await new Promise<void>((resolve) => {
      const go = (): void => {
        cancel()
        signal?.removeEventListener('abort', go)
        resolve()
      }
      const cancel = latchkey.internal.clock.after(pollMilliseconds, go)
      signal?.addEventListener('abort', go, { once: true })
    })
  }
}

/**
 * Returns the assets of the connected account that the wallet reports (EIP-7811).
 *
 * @returns undefined if it reports none or sends an invalid response [R5.5.2]
 * @throws LatchkeyError `connection/not-connected`, `request/not-allowed`.
 * @example const assets = await getWalletAssets(latchkey)
 */
export async function getWalletAssets(
  latchkey: Latchkey,
  options: RequestOptions = {},
): Promise<readonly WalletAsset[] | undefined> {
  const { calls, state } = await callsOf(latchkey, 'wallet_getAssets', options)
  return calls.getAssets(state.connection, state.account)
}

/**
 * Requests a permission from the connected wallet (ERC-7715).
 *
 * @returns the granted permissions, in the wallet's format
 * @throws LatchkeyError `connection/not-connected`, `request/rejected`, `request/not-allowed`.
 * @example const granted = await grantPermissions(latchkey, permission)
 */
export async function grantPermissions(
  latchkey: Latchkey,
  permission: Permission,
  options: RequestOptions = {},
): Promise<Permission> {
  const { calls, state } = await callsOf(latchkey, 'wallet_grantPermissions', options)
  return calls.grantPermissions(state.connection, state.account, permission)
}

/**
 * Revokes a permission (ERC-7715).
 *
 * @param context the context of the granted permission
 * @throws LatchkeyError `connection/not-connected`, `request/rejected`, `request/not-allowed`.
 * @example await revokePermissions(latchkey, context)
 */
export async function revokePermissions(
  latchkey: Latchkey,
  context: string,
  options: RequestOptions = {},
): Promise<void> {
  const { calls, state } = await callsOf(latchkey, 'wallet_revokePermissions', options)
  return calls.revokePermissions(state.connection, state.account, context)
}

/** Returns the wallet and the wallet methods of its namespace, loaded on first use. */
async function callsOf(
  latchkey: Latchkey,
  method: string,
  options: RequestOptions,
): Promise<ActiveConnection & { calls: WalletCalls }> {
  const connected = await connectionForRequest(latchkey, options)
  const calls = await connected.adapter.walletCalls?.()
  if (calls === undefined) throw requestError('request/not-allowed', { method })
  return { ...connected, calls }
}
