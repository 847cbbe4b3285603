import { callMethod, createConnectionListeners, requireAccounts, toAccountId } from '@latchkey/adapter-kit'
import type { AccountDetails, Clock, Connection } from '@latchkey/core'
import { getField, parseAccountId, type AccountId, type ChainId, type Network } from '@latchkey/protocol'
import { formatSs58Address } from '../address/ss58Address.ts'
import { getSs58Format } from '../address/ss58Format.ts'
import { toHex } from '../wallet/toHex.ts'
import { createExtensionProvider } from './createExtensionProvider.ts'
import {
  findExtensionAccount,
  hasSameAccounts,
  parseExtensionAccounts,
  type ExtensionAccount,
} from './extensionAccounts.ts'

/** An extension that the user connected, with the accounts that it shares. */
export type EnabledExtension = { injected: unknown; accounts: readonly ExtensionAccount[] }

export type FollowedConnectionOptions = {
  enabled: EnabledExtension
  name: string
  /** The preferred network first. */
  networks: readonly Network[]
  clock: Clock
  /** Called when the extension no longer shares an account. */
  onEnd(): void
}

/** Creates a connection that follows the accounts of an extension. Addresses have the format of the active network. */
export function createFollowedConnection(options: FollowedConnectionOptions): {
  connection: Connection
  leave(): void
} {
  const { enabled, name, networks, clock, onEnd } = options
  let { accounts } = enabled
  let chainId: ChainId = networks[0]?.caipNetworkId ?? 'polkadot:unknown'
  const provider = createExtensionProvider(enabled.injected, () => accounts, clock)
  const listeners = createConnectionListeners(() => subscribeToAccounts(enabled.injected, accept))
  const listAccounts = (): Connection['accounts'] => {
    const format = getSs58Format(networks, chainId)
    return requireAccounts(accounts.map(({ key }) => toAccountId('polkadot', chainId, formatSs58Address(key, format))))
  }

  function accept(value: unknown): void {
    if (listeners.isEmpty()) return
    const next = parseExtensionAccounts(value)
    if (hasSameAccounts(next, accounts)) return
    if (next.length > 0) {
      accounts = next
      return listeners.accountsChanged(listAccounts())
    }
    onEnd()
    provider.abandon()
    listeners.disconnected('account-removed')
  }

  const connection: Connection = {
    namespace: 'polkadot',
    get accounts() {
      return listAccounts()
    },
    get chainId() {
      return chainId
    },
    approvedChains: 'all',
    provider,
    wallet: { name },
    details: (account) => describeAccount(accounts, account),
    switchTo(next) {
      if (next === chainId) return true
      const previous = listAddresses(listAccounts())
      chainId = next
      listeners.chainChanged(next)
      const current = listAccounts()
      if (listAddresses(current) !== previous) listeners.accountsChanged(current)
      return true
    },
    listen: listeners.listen,
  }
  return { connection, leave: listeners.clear }
}

function listAddresses(accounts: readonly AccountId[]): string {
  return accounts.map((account) => parseAccountId(account).address).join()
}

function describeAccount(accounts: readonly ExtensionAccount[], account: AccountId): AccountDetails | undefined {
  const found = findExtensionAccount(accounts, parseAccountId(account).address)
  return found && { type: 'eoa', publicKey: toHex(found.key), label: found.name }
}

/** Follows the accounts of an extension. An extension that can't be followed stays usable. */
function subscribeToAccounts(injected: unknown, accept: (accounts: unknown) => void): () => void {
  const subscription = callMethod(getField(injected, 'accounts'), 'subscribe', accept).catch(() => undefined)
  return () => void subscription.then((unsubscribe) => typeof unsubscribe === 'function' && unsubscribe())
}
