import type { Wallet, WalletRequest } from '@latchkey/walletconnect/wallet'
import type { RpcError } from '../rpcError.ts'
import type { DeveloperWallet, WalletResponse } from './developerWallet.ts'
import { showNotice } from './showNotice.ts'

/** Sends the response to a request. A response that can't be delivered is sent when the request appears again. */
export async function respond(
  wallet: DeveloperWallet,
  key: string,
  request: WalletRequest,
  response: WalletResponse,
): Promise<void> {
  wallet.undelivered.set(key, response)
  const isDelivered = await deliver(wallet, (protocol) => protocol.respond(request, response))
  if (isDelivered) wallet.undelivered.delete(key)
}

/** Responds to a request with an error. */
export async function respondWithError(
  wallet: DeveloperWallet,
  request: WalletRequest,
  { code, message }: RpcError,
): Promise<void> {
  await deliver(wallet, (protocol) => protocol.respond(request, { error: { code, message } }))
}

/**
 * Publishes a response through the relay. Shows a notice if that fails.
 *
 * @returns true if the relay accepted the response
 */
export async function deliver(wallet: DeveloperWallet, send: (protocol: Wallet) => Promise<unknown>): Promise<boolean> {
  const { protocol } = wallet
  if (protocol === undefined) {
    showNotice(wallet, 'failure', 'The wallet went offline before it could respond.')
    return false
  }
  try {
    await send(protocol)
    return true
  } catch (error) {
    const reason = error instanceof Error ? ` ${error.message}` : ''
    showNotice(wallet, 'failure', `The response could not be delivered.${reason}`)
    return false
  }
}
