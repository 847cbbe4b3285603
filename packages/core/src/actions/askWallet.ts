import type { Namespace } from '@latchkey/protocol'
import type { Receipt, TransactionRequest } from '../adapter.ts'
import type { Latchkey } from '../latchkey.ts'
import { requireConnected } from '../state/standing.ts'
import { live, type RequestOptions } from './requestOptions.ts'

const receiptMilliseconds = 25_000

/**
 * Asks the connected wallet to sign a text.
 *
 * @param options a namespace, or a chain whose network the wallet is switched to first
 * @returns the signature in the namespace's usual encoding (EIP-191 in eip155)
 * @throws LatchkeyError `connection/not-connected`, `request/rejected`, `request/unknown`, `wallet/unavailable`.
 * @example const signature = await signMessage(latchkey, 'Hello')
 */
export async function signMessage(latchkey: Latchkey, message: string, options: RequestOptions = {}): Promise<string> {
  const { adapter, state } = await live(latchkey, options)
  return adapter.signMessage(state.connection, state.account, message)
}

/**
 * Checks a signature of the connected account, contract wallets included.
 *
 * @throws LatchkeyError `connection/not-connected`, `rpc/unreachable`.
 * @example await verifyMessage(latchkey, 'Hello', signature)
 */
export async function verifyMessage(
  latchkey: Latchkey,
  message: string,
  signature: string,
  { namespace }: { namespace?: Namespace } = {},
): Promise<boolean> {
  const { adapter, state, network } = requireConnected(latchkey, namespace)
  return adapter.verifyMessage(network, addressOf(state.account), message, signature)
}

/**
 * Asks the connected wallet to send a transaction on the network it is on.
 *
 * @returns the transaction's hash as soon as the wallet gave it; mined or not is what `waitForTransaction` tells
 * @throws LatchkeyError `connection/not-connected`, `address/invalid`, `request/rejected`, `request/unknown`.
 * @example const hash = await sendTransaction(latchkey, { to, value: parseAmount('0.1', 18) })
 */
export async function sendTransaction(
  latchkey: Latchkey,
  request: TransactionRequest,
  options: RequestOptions = {},
): Promise<string> {
  const { adapter, state } = await live(latchkey, options)
  return adapter.sendTransaction(state.connection, state.account, request)
}

/**
 * Waits until a transaction is mined, 25 seconds unless told otherwise.
 *
 * @throws LatchkeyError `transaction/reverted` with the reason, or `transaction/pending`: it may still be mined.
 * @example const { blockNumber } = await waitForTransaction(latchkey, hash)
 */
export async function waitForTransaction(
  latchkey: Latchkey,
  hash: string,
  {
    timeout = receiptMilliseconds,
    signal,
    namespace,
  }: { timeout?: number; signal?: AbortSignal; namespace?: Namespace } = {},
): Promise<Receipt> {
  const { adapter, network } = requireConnected(latchkey, namespace)
  return adapter.waitForReceipt(network, hash, { timeout, signal })
}

/**
 * Asks the connected wallet anything, in the words of its family.
 *
 * @param chainId the chain of this one request; the wallet is switched to it first
 * @throws LatchkeyError `connection/not-connected`, and what the provider throws.
 * @example await request(latchkey, { method: 'eth_signTypedData_v4', params: [address, data] })
 */
export async function request(
  latchkey: Latchkey,
  { method, params, ...options }: RequestOptions & { method: string; params?: unknown },
): Promise<unknown> {
  const { state } = await live(latchkey, options)
  return state.connection.provider.request({ method, params })
}

function addressOf(account: string): string {
  return account.slice(account.lastIndexOf(':') + 1)
}
