import { createConnectionListeners, requireAccounts, toAccountId } from '@latchkey/adapter-kit'
import type { AccountDetails, Clock, Connection, EndReason } from '@latchkey/core'
import { walletTimeouts, withTimeout } from '@latchkey/core/internal'
import {
  isLatchkeyError,
  parseAccountId,
  type AccountId,
  type ChainId,
  type LatchkeyError,
  requestError,
} from '@latchkey/protocol'
import { createBitcoinProvider } from './createBitcoinProvider.ts'
import type { OpenedWallet, PageWallet, WalletAddress } from './pageWallet.ts'
import { toBitcoinWalletError } from './toBitcoinWalletError.ts'

/** Maximum number of times that a wallet is opened again for one burst of change events. */
const longestBurst = 4

export type FollowedConnectionOptions = {
  wallet: PageWallet
  opened: OpenedWallet
  name: string
  icon: string | undefined
  clock: Clock
  /** Opens the wallet again without showing anything to the user. */
  reopen(): Promise<OpenedWallet | undefined>
}

export type FollowedConnection = {
  connection: Connection
  /** Stops following the wallet. */
  leave(): void
  /** Ends the connection, and passes the reason to its listeners. */
  end(reason: EndReason): void
}

/** Creates a connection that opens its wallet again whenever the wallet reports a change. */
export function createFollowedConnection(options: FollowedConnectionOptions): FollowedConnection {
  const { wallet, name, icon, clock, reopen } = options
  let { opened } = options
  const provider = createBitcoinProvider(wallet, () => opened, clock)
  const listeners = createConnectionListeners(() =>
    wallet.listen({ changed: () => void update(), left: () => end('wallet') }),
  )

  function end(reason: EndReason): void {
    provider.abandon()
    listeners.disconnected(reason)
  }

  function accept(next: OpenedWallet): void {
    const previous = opened
    opened = next
    const accounts = listAccounts(next)
    if (next.chainId !== previous.chainId) listeners.chainChanged(next.chainId)
    if (accounts.join() !== listAccounts(previous).join()) listeners.accountsChanged(accounts)
  }

  const update = limitBursts(async () => {
    try {
      const next = await reopen()
      if (listeners.isEmpty()) return
      // Wallets don't say why they share nothing: locked, removed and forbidden look the same.
      if (next === undefined) end('account-removed')
      else accept(next)
    } catch (error) {
      if (!listeners.isEmpty()) end(isLatchkeyError(error, 'wallet/unavailable') ? 'slow' : 'wallet')
    }
  })

  async function switchTo(chainId: ChainId): Promise<boolean> {
    if (!(await requestSwitch(wallet, chainId, clock))) return false
    const next = await reopen()
    if (next !== undefined) accept(next)
    return opened.chainId === chainId
  }

  const connection: Connection = {
    namespace: 'bip122',
    get accounts() {
      return listAccounts(opened)
    },
    get chainId() {
      return opened.chainId
    },
    get approvedChains() {
      return opened.approvedChains
    },
    provider,
    wallet: { name, icon },
    details: (account) => describeAccount(opened.addresses, account),
    switchTo,
    listen: listeners.listen,
  }
  return { connection, leave: listeners.clear, end }
}

function requestSwitch(wallet: PageWallet, chainId: ChainId, clock: Clock): Promise<boolean> {
  const method = 'wallet_changeNetwork'
  const switching = wallet.switchTo(chainId).catch((error: unknown) => {
    throw toBitcoinWalletError(method, error)
  })
  const lost = (): LatchkeyError => requestError('request/unknown', { method })
  return withTimeout(clock, walletTimeouts.approval, switching, lost)
}

/**
 * Joins calls during a run into one more run. Wallets report changes in bursts, and some report one whenever they are
 * opened, so at most four runs follow each other.
 */
function limitBursts(act: () => Promise<void>): () => Promise<void> {
  let isRunning = false
  let isRequested = false
  return async () => {
    isRequested = true
    if (isRunning) return
    isRunning = true
    for (let runs = 0; isRequested && runs < longestBurst; runs += 1) {
      isRequested = false
      await act()
    }
    isRunning = false
  }
}

function listAccounts({ addresses, chainId }: OpenedWallet): Connection['accounts'] {
  return requireAccounts(addresses.map(({ address }) => toAccountId('bip122', chainId, address)))
}

function describeAccount(addresses: readonly WalletAddress[], account: AccountId): AccountDetails | undefined {
  const { address } = parseAccountId(account)
  const found = addresses.find((each) => each.address === address)
  if (found === undefined) return undefined
  return { type: found.purpose === 'ordinals' ? 'ordinals' : 'payment', publicKey: found.publicKey, path: found.path }
}
