import type { Wallet, WalletRequest } from '@latchkey/walletconnect/wallet'
import type { RpcError } from '../rpcError.ts'
import type { DeveloperWallet, WalletResponse } from './developerWallet.ts'
import { showNotice } from './showNotice.ts'

/**
 * Sends the response to a request. The protocol stores a response until the relay has it. Without the protocol, the
 * response is sent when the request appears again.
 */
export async function respond(
  wallet: DeveloperWallet,
  key: string,
  request: WalletRequest,
  response: WalletResponse,
): Promise<void> {
  if (wallet.protocol === undefined) wallet.undelivered.set(key, response)
  else wallet.undelivered.delete(key)
  await deliver(wallet, (protocol) => protocol.respond(request, response))
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
