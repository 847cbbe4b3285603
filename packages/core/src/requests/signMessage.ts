import { classifyMethod, networkError, type ChainId, type Namespace } from '@latchkey/protocol'
import type { Abi } from 'abitype'
import { invalidateBalances } from '../account/invalidateBalances.ts'
import type { Receipt, TransactionRequest } from '../contracts/adapter.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import { requestFromWallet } from '../provider/requestFromWallet.ts'
import { getActiveConnection } from '../state/connectedWallets.ts'
import { connectedWallet } from '../state/connectionState.ts'
import { connectionStateOf, findNetwork, getAdapter } from '../state/getAccount.ts'
import { connectionForRequest, type RequestOptions } from './requestOptions.ts'
import { untilApprovalsClose } from './untilApprovalsClose.ts'

const receiptMilliseconds = 25_000

/**
 * Asks the connected wallet to sign a message.
 *
 * @param options a namespace, or a chain whose network the wallet is switched to first
 * @returns the signature in the namespace's usual encoding (EIP-191 in eip155)
 * @throws LatchkeyError `connection/not-connected`, `request/rejected`, `request/unknown`, `wallet/unavailable`.
 * @example const signature = await signMessage(latchkey, 'Hello')
 */
export async function signMessage(latchkey: Latchkey, message: string, options: RequestOptions = {}): Promise<string> {
  const live = await connectionForRequest(latchkey, options)
  const { connection, account } = live.state
  return untilApprovalsClose(latchkey, live, 'signMessage', live.adapter.signMessage(connection, account, message))
}

/**
 * Verifies a signature of the connected account, including those of contract wallets.
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
  const { adapter, state, network } = getActiveConnection(latchkey, namespace)
  return adapter.verifyMessage(network, plainAddressOf(state.account), message, signature)
}

/**
 * Asks the connected wallet to send a transaction on the network it is on.
 *
 * @returns the hash as soon as the wallet sent the transaction; call `waitForTransaction` to wait until it is mined
 * @throws LatchkeyError `connection/not-connected`, `address/invalid`, `request/rejected`, `request/unknown`.
 * @example const hash = await sendTransaction(latchkey, { to, value: parseAmount('0.1', 18) })
 */
export async function sendTransaction(
  latchkey: Latchkey,
  request: TransactionRequest,
  options: RequestOptions = {},
): Promise<string> {
  const live = await connectionForRequest(latchkey, options)
  const { connection, account } = live.state
  return untilApprovalsClose(
    latchkey,
    live,
    'sendTransaction',
    live.adapter.sendTransaction(connection, account, request),
  )
}

/** The wait for a transaction. */
export type TransactionWait = {
  /** Milliseconds. */
  timeout?: number
  signal?: AbortSignal
  namespace?: Namespace
  /** The chain of the transaction. Defaults to the network of the connected wallet. */
  chainId?: ChainId
  /** The interface of the called contract, for the error in `transaction/reverted`. */
  abi?: Abi | readonly unknown[]
}

/**
 * Waits until a transaction is mined. Times out after 25 seconds by default. The next read of the
 * account's balances then skips the cache.
 *
 * @throws LatchkeyError `transaction/reverted` with the reason, or `transaction/pending`: it may still be mined;
 * `network/not-found` if the app did not configure `chainId`.
 * @example const { blockNumber } = await waitForTransaction(latchkey, hash)
 */
export async function waitForTransaction(
  latchkey: Latchkey,
  hash: string,
  { timeout = receiptMilliseconds, signal, namespace, chainId, abi }: TransactionWait = {},
): Promise<Receipt> {
  const network =
    chainId === undefined ? getActiveConnection(latchkey, namespace).network : findNetwork(latchkey, chainId)
  if (network === undefined) throw networkError('network/not-found', { chainId: String(chainId) })
  try {
    return await getAdapter(latchkey, network.chainNamespace).waitForReceipt(network, hash, { timeout, signal, abi })
  } finally {
    const payer = connectedWallet(connectionStateOf(latchkey, network.chainNamespace))
    // A reverted transaction has paid its fee.
    if (payer !== undefined) invalidateBalances(latchkey, payer.account, network.caipNetworkId)
  }
}

/**
 * Sends a request to the connected wallet, with a method of its namespace.
 *
 * @param chainId the chain of the request; the wallet is switched to it first
 * @throws LatchkeyError `connection/not-connected`, `request/rejected`, `request/failed`, `request/unknown`, …
 * @example await request(latchkey, { method: 'personal_sign', params: [message, address] })
 */
export async function request(
  latchkey: Latchkey,
  { method, params, ...options }: RequestOptions & { method: string; params?: unknown },
): Promise<unknown> {
  const live = await connectionForRequest(latchkey, options)
  const response = requestFromWallet(live.state.connection, { method, params })
  return classifyMethod(method) === 'unsafe' ? untilApprovalsClose(latchkey, live, method, response) : response
}

function plainAddressOf(account: string): string {
  return account.slice(account.lastIndexOf(':') + 1)
}
