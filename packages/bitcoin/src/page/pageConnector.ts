import { requestConnection } from '@latchkey/adapter-kit'
import { type Connection, type Connector, systemClock } from '@latchkey/core'
import { walletTimeouts, withAbort, withTimeout } from '@latchkey/core/internal'
import { type Network, walletError, type LatchkeyError } from '@latchkey/protocol'
import { isBitcoinAddress } from '../address/isBitcoinAddress.ts'
import { createFollowedConnection, type FollowedConnection } from './createFollowedConnection.ts'
import type { DiscoveryOptions, FoundWallet } from './foundWallet.ts'
import { loadPageWallet } from './loadPageWallet.ts'
import type { OpenedWallet, WalletAddress } from './pageWallet.ts'
import { toBitcoinWalletError } from './toBitcoinWalletError.ts'

/** Creates the connector for a wallet in the page. It sends no request before `connect` or `restore`. */
export async function pageConnector(found: FoundWallet, options: DiscoveryOptions): Promise<Connector> {
  const { id, name, icon, unregistered } = found
  const { clock = systemClock } = options
  const wallet = await loadPageWallet(found, options)
  let live: FollowedConnection | undefined
  unregistered.addEventListener('abort', () => live?.end('uninstalled'))
  const unavailable = (): LatchkeyError => walletError('wallet/unavailable', { wallet: name })

  async function open(silent: boolean, networks: readonly Network[]): Promise<OpenedWallet | undefined> {
    const method = silent ? 'getAccountAddresses' : 'connect'
    const opening = wallet.open({ silent, networks }).catch((error: unknown) => {
      throw toBitcoinWalletError(method, error)
    })
    const timeoutMs = silent ? walletTimeouts.read : walletTimeouts.approval
    const opened = await withTimeout(clock, timeoutMs, opening, unavailable)
    if (opened === undefined) return undefined
    const addresses = orderAddresses(opened.addresses)
    const isValid = addresses.length > 0 && addresses.every(({ address }) => isBitcoinAddress(address))
    if (!isValid) throw walletError('wallet/invalid-response', { wallet: name, method })
    return { ...opened, addresses }
  }

  function follow(opened: OpenedWallet, networks: readonly Network[]): Connection {
    live?.leave()
    live = createFollowedConnection({ wallet, opened, name, icon, clock, reopen: () => open(true, networks) })
    return live.connection
  }

  return {
    id,
    name,
    type: 'injected',
    icon,
    namespaces: ['bip122'],
    async connect({ signal, networks }) {
      const opened = await requestConnection(name, signal, () => open(false, networks))
      if (opened === undefined) throw walletError('wallet/invalid-response', { wallet: name, method: 'connect' })
      return [follow(opened, networks)]
    },
    async restore({ signal, networks }) {
      const opened = await withAbort(open(true, networks), signal)
      return opened === undefined ? [] : [follow(opened, networks)]
    },
    async disconnect() {
      live?.leave()
      live = undefined
      // Many wallets can't revoke a consent, and some never respond. The app is disconnected in any case.
      await withTimeout(clock, walletTimeouts.goodbye, wallet.close(), unavailable).catch(() => undefined)
    },
  }
}

/** Payment addresses come first. An address with two purposes is one account, for payments. */
function orderAddresses(addresses: readonly WalletAddress[]): readonly WalletAddress[] {
  const isPayment = ({ purpose }: WalletAddress): boolean => purpose !== 'ordinals'
  const ordered = [...addresses.filter(isPayment), ...addresses.filter((each) => !isPayment(each))]
  return ordered.filter(({ address }, at) => ordered.findIndex((each) => each.address === address) === at)
}
