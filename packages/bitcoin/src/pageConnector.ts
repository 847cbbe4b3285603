import {
  type AccountDetails,
  type Connection,
  type ConnectionListener,
  type Connector,
  type EndReason,
  orAborted,
  systemClock,
  walletPatience,
  within,
} from '@latchkey/core'
import {
  isLatchkeyError,
  LatchkeyError,
  parseAccountId,
  type AccountId,
  type ChainId,
  type Network,
} from '@latchkey/protocol'
import { isAddress } from './address.ts'
import type { ComposeTransfer } from './composeTransfer.ts'
import type { DiscoveryParts, FoundWallet } from './discover.ts'
import { leatherWallet } from './leatherWallet.ts'
import { accountIdOf } from './chainNames.ts'
import { pageProvider } from './pageProvider.ts'
import type { Opened, PageWallet, WalletAddress } from './pageWallet.ts'
import { satsWallet } from './satsWallet.ts'
import { standardWallet } from './standardWallet.ts'
import { unisatWallet } from './unisatWallet.ts'
import { walletFailure } from './walletFailure.ts'

/** How often a wallet is looked at for the news of one burst. */
const longestBurst = 4

/** The way to a wallet that lives in the page. It asks nothing before `connect` or `restore` is called. */
export function pageConnector(found: FoundWallet, parts: DiscoveryParts): Connector {
  const { id, name, icon } = found
  const { clock = systemClock } = parts
  const wallet = translate(found, parts)
  let live: ReturnType<typeof followedConnection> | undefined
  found.parting.tell = () => live?.left('uninstalled')

  async function open(silent: boolean, networks: readonly Network[]): Promise<Opened | undefined> {
    const method = silent ? 'getAccountAddresses' : 'connect'
    const opening = wallet.open({ silent, networks }).catch((error: unknown) => {
      throw walletFailure(method, error)
    })
    const limit = silent ? walletPatience.read : walletPatience.approval
    const opened = await within(clock, limit, opening, () => new LatchkeyError('wallet/unavailable', { wallet: name }))
    if (opened === undefined) return undefined
    const addresses = paymentFirst(opened.addresses)
    if (addresses.length > 0 && addresses.every(({ address }) => isAddress(address))) return { ...opened, addresses }
    throw new LatchkeyError('wallet/invalid-answer', { wallet: name, method })
  }

  /** What goes wrong while connecting is about the connection, not about a request that the visitor never made. */
  function connectionFailure(error: unknown): unknown {
    if (!isLatchkeyError(error, 'request/rejected')) return error
    return new LatchkeyError('connection/rejected', { wallet: name }, { cause: error.cause })
  }

  function connectionOf(opened: Opened, networks: readonly Network[]): Connection {
    live?.leave()
    const made = followedConnection({ wallet, opened, name, icon, clock, reopen: () => open(true, networks) })
    live = made
    return made.connection
  }

  return {
    id,
    name,
    type: 'injected',
    icon,
    namespaces: ['bip122'],
    async connect({ signal, networks }) {
      if (signal.aborted) throw new LatchkeyError('connection/aborted', {})
      const opening = open(false, networks).catch((error: unknown) => {
        throw connectionFailure(error)
      })
      const opened = await orAborted(opening, signal)
      if (opened === undefined) throw new LatchkeyError('wallet/invalid-answer', { wallet: name, method: 'connect' })
      return [connectionOf(opened, networks)]
    },
    async restore({ signal, networks }) {
      const opened = await orAborted(open(true, networks), signal)
      return opened === undefined ? [] : [connectionOf(opened, networks)]
    },
    async disconnect() {
      live?.leave()
      live = undefined
      const late = (): LatchkeyError => new LatchkeyError('wallet/unavailable', { wallet: name })
      // Many wallets cannot do it, and some never answer what they do not know. Nothing here depends on it.
      await within(clock, walletPatience.goodbye, wallet.close(), late).catch(() => undefined)
    },
  }
}

type Followed = {
  wallet: PageWallet
  opened: Opened
  name: string
  icon: string | undefined
  clock: Parameters<typeof pageProvider>[2]
  reopen(): Promise<Opened | undefined>
}

/** A connection that stays true: whenever the wallet says that something changed, it is looked at again. */
function followedConnection(parts: Followed): { connection: Connection; leave(): void; left(reason: EndReason): void } {
  const { wallet, name, icon, clock, reopen } = parts
  const listeners = new Set<ConnectionListener>()
  let opened = parts.opened
  let stopWallet: (() => void) | undefined
  let [looking, news] = [false, false]
  const provider = pageProvider(wallet, () => opened, clock)

  function take(next: Opened): void {
    const before = accountsOf(opened).join()
    const moved = next.chainId !== opened.chainId
    opened = next
    const accounts = accountsOf(next)
    for (const listener of listeners) {
      if (moved) listener.chainChanged(next.chainId)
      if (accounts.join() !== before) listener.accountsChanged(accounts)
    }
  }

  function leave(): void {
    stopWallet?.()
    stopWallet = undefined
    listeners.clear()
  }

  function left(reason: EndReason): void {
    const told = [...listeners]
    leave()
    provider.abandon()
    for (const listener of told) listener.disconnected(reason)
  }

  /** Wallets tell in bursts, and some tell whenever they are asked: a few looks follow each other, and no more. */
  async function lookAgain(): Promise<void> {
    news = true
    if (looking) return
    looking = true
    for (let looks = 0; news && looks < longestBurst; looks += 1) {
      news = false
      await look()
    }
    looking = false
  }

  async function look(): Promise<void> {
    let next: Opened | undefined
    try {
      next = await reopen()
    } catch (error) {
      if (listeners.size > 0) left(isLatchkeyError(error, 'wallet/unavailable') ? 'slow' : 'wallet')
      return
    }
    if (listeners.size === 0) return
    // Nobody says why nothing is shown any more: locked, removed and forbidden look the same.
    if (next === undefined) left('account-removed')
    else take(next)
  }

  const connection: Connection = {
    namespace: 'bip122',
    get accounts() {
      return accountsOf(opened)
    },
    get chainId() {
      return opened.chainId
    },
    get approvedChains() {
      return opened.approvedChains
    },
    provider,
    details: (account) => detailsOf(opened.addresses, account),
    async switchTo(chainId: ChainId) {
      const method = 'wallet_changeNetwork'
      const switching = wallet.switchTo(chainId).catch((error: unknown) => {
        throw walletFailure(method, error)
      })
      const late = (): LatchkeyError => new LatchkeyError('request/unknown', { method })
      if (!(await within(clock, walletPatience.approval, switching, late))) return false
      const next = await reopen()
      if (next !== undefined) take(next)
      return opened.chainId === chainId
    },
    wallet: { name, icon },
    listen(listener) {
      listeners.add(listener)
      stopWallet ??= wallet.listen({ changed: () => void lookAgain(), left: () => left('wallet') })
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        stopWallet?.()
        stopWallet = undefined
      }
    },
  }
  return { connection, leave, left }
}

function translate({ kind, raw }: FoundWallet, { networks, clock }: DiscoveryParts): PageWallet {
  switch (kind) {
    case 'sats':
      return satsWallet(raw)
    case 'leather':
      return leatherWallet(raw)
    case 'unisat':
      return unisatWallet(raw)
    case 'standard':
      return standardWallet(raw, lazyCompose(networks, clock))
  }
}

/** An address that the wallet gives two purposes is one account, for payments. */
function paymentFirst(addresses: readonly WalletAddress[]): readonly WalletAddress[] {
  const isPayment = ({ purpose }: WalletAddress): boolean => purpose !== 'ordinals'
  const ordered = [...addresses.filter(isPayment), ...addresses.filter((each) => !isPayment(each))]
  return ordered.filter(({ address }, at) => ordered.findIndex((each) => each.address === address) === at)
}

function accountsOf({ addresses, chainId }: Opened): readonly [AccountId, ...AccountId[]] {
  // An opened wallet shares at least one address.
  return addresses.map(({ address }) => accountIdOf(chainId, address)) as [AccountId, ...AccountId[]]
}

function detailsOf(addresses: readonly WalletAddress[], account: AccountId): AccountDetails | undefined {
  const { address } = parseAccountId(account)
  const found = addresses.find((each) => each.address === address)
  if (found === undefined) return undefined
  return { type: found.purpose === 'ordinals' ? 'ordinals' : 'payment', publicKey: found.publicKey, path: found.path }
}

/** Composing brings all of Bitcoin along, and most wallets pay by themselves. */
function lazyCompose(networks: DiscoveryParts['networks'], clock: DiscoveryParts['clock']): ComposeTransfer {
  const load = async (): Promise<ComposeTransfer> =>
    (await import('./composeTransfer.ts')).composeTransfer(networks, clock)
  return {
    transfer: async (...args) => (await load()).transfer(...args),
    send: async (...args) => (await load()).send(...args),
  }
}
