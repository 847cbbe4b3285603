import { getErrorReason, requestConnection, settleWithin } from '@latchkey/adapter-kit'
import { systemClock, type Clock, type Connector } from '@latchkey/core'
import { walletTimeouts, withAbort } from '@latchkey/core/internal'
import { getField, isLatchkeyError, type Network, walletError } from '@latchkey/protocol'
import { createPageConnection } from './createPageConnection.ts'
import { findFeatureMethod } from './findFeatureMethod.ts'
import type { StandardWallet } from './standardWallet.ts'
import { parseWalletAccounts, type WalletAccount } from './walletAccounts.ts'
import { createWalletRequests, type WalletRequest } from './walletRequests.ts'

const method = 'standard:connect'

/**
 * Creates the connector for a wallet that registered itself in the page. It sends no request before `connect` or
 * `restore`.
 *
 * @param unregistered aborts when the wallet unregisters itself
 */
export function standardConnector(
  id: string,
  { name, icon, wallet }: StandardWallet,
  unregistered: AbortSignal,
  clock: Clock = systemClock,
): Connector {
  const requests = createWalletRequests(name, clock)
  unregistered.addEventListener('abort', requests.abandon)
  const createConnection = (
    networks: readonly Network[],
    accounts: readonly WalletAccount[],
  ): ReturnType<typeof createPageConnection> =>
    createPageConnection({ wallet, requests, unregistered, info: { name, icon }, networks, accounts })

  return {
    id,
    name,
    type: 'injected',
    icon,
    namespaces: ['solana'],
    async connect({ networks, signal }) {
      const request = connectRequest(wallet, name)
      const accounts = await requestConnection(name, signal, () => requests.approve(request))
      if (accounts.length === 0) throw walletError('wallet/invalid-response', { wallet: name, method })
      return [createConnection(networks, accounts)]
    },
    async restore({ networks, signal }) {
      const request = connectRequest(wallet, name, { silent: true })
      const accounts = await withAbort(requests.read(request), signal).catch((error: unknown) => {
        throwIfLocked(error, name)
        return catchRefusal(error)
      })
      return accounts.length === 0 ? [] : [createConnection(networks, accounts)]
    },
    disconnect() {
      const disconnect = findFeatureMethod(wallet, 'standard:disconnect', 'disconnect')
      return settleWithin(clock, walletTimeouts.goodbye, (async () => disconnect?.())())
    },
  }
}

/** @throws LatchkeyError `wallet/unavailable` when sent, if the wallet no longer has the method. */
function connectRequest(
  wallet: object,
  name: string,
  ...inputs: readonly object[]
): WalletRequest<readonly WalletAccount[]> {
  return {
    method,
    send() {
      const connect = findFeatureMethod(wallet, method, 'connect')
      if (connect === undefined) throw walletError('wallet/unavailable', { wallet: name })
      return connect(...inputs)
    },
    parse: (response) => parseWalletAccounts(getField(response, 'accounts')),
  }
}

function throwIfLocked(error: unknown, wallet: string): void {
  if (isLatchkeyError(error, 'request/failed') && /\block/i.test(getErrorReason(error.cause))) {
    throw walletError('wallet/locked', { wallet }, { cause: error.cause })
  }
}

/** A wallet that does not know the site refuses a silent request, each wallet with its own message. */
function catchRefusal(error: unknown): readonly WalletAccount[] {
  if (isLatchkeyError(error, 'request/failed') || isLatchkeyError(error, 'request/rejected')) return []
  throw error
}
