import { LatchkeyError, type ChainId, type Namespace } from '@latchkey/protocol'
import type { Call, CallsStatus, Permission, WalletAsset, WalletCalls } from '../adapter.ts'
import type { Latchkey } from '../latchkey.ts'
import type { Live } from '../state/standing.ts'
import { live, type RequestOptions } from './requestOptions.ts'

const pollMilliseconds = 1_000
const waitMilliseconds = 60_000

/**
 * What the connected wallet can do on each chain (EIP-5792).
 *
 * @throws LatchkeyError `connection/not-connected`, `request/not-allowed` where the family has no such thing [R8.3.9].
 * @example const { atomic } = (await getCapabilities(latchkey))['eip155:1'] ?? {}
 */
export async function getCapabilities(
  latchkey: Latchkey,
  options: RequestOptions = {},
): Promise<Readonly<Record<ChainId, Readonly<Record<string, unknown>>>>> {
  const { calls, state } = await callsOf(latchkey, 'wallet_getCapabilities', options)
  return calls.getCapabilities(state.connection, state.account)
}

/** Several calls that a wallet is asked for in one consent. */
export type CallBatch = { calls: readonly Call[]; atomic?: boolean; capabilities?: Readonly<Record<string, unknown>> }

/**
 * Asks the connected wallet for a batch of calls in one consent (EIP-5792).
 *
 * @returns the id to ask for its state with
 * @throws LatchkeyError `connection/not-connected`, `request/rejected`, `request/not-allowed` where it cannot.
 * @example const { id } = await sendCalls(latchkey, { calls: [{ to, value }] })
 */
export async function sendCalls(
  latchkey: Latchkey,
  batch: CallBatch,
  options: RequestOptions = {},
): Promise<{ id: string }> {
  const { calls, state } = await callsOf(latchkey, 'wallet_sendCalls', options)
  return calls.sendCalls(state.connection, state.account, batch)
}

/**
 * What became of a batch.
 *
 * @throws LatchkeyError `connection/not-connected`, `request/not-allowed`, `wallet/invalid-answer`.
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
 * Waits until a batch is no longer pending, a minute unless told otherwise.
 *
 * @throws LatchkeyError `transaction/pending` after that time: it may still be carried out.
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
  const until = latchkey.clock.now() + timeout
  for (;;) {
    signal?.throwIfAborted()
    const status = await getCallsStatus(latchkey, id, options)
    if (status.status !== 'pending') return status
    if (latchkey.clock.now() >= until)
      throw new LatchkeyError('transaction/pending', { hash: id, seconds: timeout / 1_000 })
    await new Promise<void>((resolve) => {
      const go = (): void => {
        cancel()
        signal?.removeEventListener('abort', go)
        resolve()
      }
      const cancel = latchkey.clock.after(pollMilliseconds, go)
      signal?.addEventListener('abort', go, { once: true })
    })
  }
}

/**
 * The assets of the connected account as the wallet itself counts them (EIP-7811).
 *
 * @returns undefined when it does not say, or says it wrongly [R5.5.2]
 * @throws LatchkeyError `connection/not-connected`, `request/not-allowed`.
 */
export async function getWalletAssets(
  latchkey: Latchkey,
  options: RequestOptions = {},
): Promise<readonly WalletAsset[] | undefined> {
  const { calls, state } = await callsOf(latchkey, 'wallet_getAssets', options)
  return calls.getAssets(state.connection, state.account)
}

/**
 * Asks the connected wallet for a permission (ERC-7715).
 *
 * @returns what it granted, as it writes it
 * @throws LatchkeyError `connection/not-connected`, `request/rejected`, `request/not-allowed`.
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
 * Takes a permission back (ERC-7715).
 *
 * @param context what the wallet called it when it granted it
 * @throws LatchkeyError `connection/not-connected`, `request/rejected`, `request/not-allowed`.
 */
export async function revokePermissions(
  latchkey: Latchkey,
  context: string,
  options: RequestOptions = {},
): Promise<void> {
  const { calls, state } = await callsOf(latchkey, 'wallet_revokePermissions', options)
  return calls.revokePermissions(state.connection, state.account, context)
}

/** A wallet to ask, and how its family asks: loaded when a call is first made. */
async function callsOf(
  latchkey: Latchkey,
  method: string,
  options: RequestOptions,
): Promise<Live & { calls: WalletCalls }> {
  const connected = await live(latchkey, options)
  const calls = await connected.adapter.walletCalls?.()
  if (calls === undefined) throw new LatchkeyError('request/not-allowed', { method })
  return { ...connected, calls }
}
