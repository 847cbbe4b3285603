import {
  type Connection,
  type ConnectionListener,
  type Connector,
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
import { bytesToHex } from '@noble/hashes/utils.js'
import { consentsIn } from './consents.ts'
import type { DiscoveryParts, FoundExtension } from './discover.ts'
import { call, extensionFailure, readAccounts, type ExtensionAccount } from './extension.ts'
import { extensionProvider } from './extensionProvider.ts'
import { field } from './field.ts'
import { accountIdOf, formatOf } from './addresses.ts'
import { accountKeyOf, addressOf } from './ss58.ts'

/** The way to an extension that lives in the page. It asks nothing before `connect` or `restore` is called. */
export function injectedConnector({ id, name, raw }: FoundExtension, parts: DiscoveryParts): Connector {
  const { clock = systemClock } = parts
  const consents = consentsIn(parts.storage)
  let live: { leave(): void } | undefined

  async function open(milliseconds: number): Promise<Opened> {
    const opening = enable().catch((error: unknown) => {
      throw extensionFailure('enable', error)
    })
    return within(clock, milliseconds, opening, () => new LatchkeyError('wallet/unavailable', { wallet: name }))
  }

  async function enable(): Promise<Opened> {
    const injected = await call(raw, 'enable', parts.appName ?? pageTitle())
    return { injected, accounts: readAccounts(await call(field(injected, 'accounts'), 'get')) }
  }

  function connectionOf(opened: Opened, networks: readonly Network[]): Connection {
    live?.leave()
    const followed = followExtension(opened, {
      name,
      networks,
      known: parts.networks,
      clock,
      left: () => consents.remove(id),
    })
    live = followed
    consents.add(id)
    return followed.connection
  }

  /** What goes wrong while connecting is about the connection, not about a request that the visitor never made. */
  function connectionFailure(error: unknown): unknown {
    if (!isLatchkeyError(error, 'request/rejected')) return error
    return new LatchkeyError('connection/rejected', { wallet: name }, { cause: error.cause })
  }

  return {
    id,
    name,
    type: 'injected',
    namespaces: ['polkadot'],
    async connect({ signal, networks }) {
      if (signal.aborted) throw new LatchkeyError('connection/aborted', {})
      const opening = open(walletPatience.approval).catch((error: unknown) => {
        throw connectionFailure(error)
      })
      const opened = await orAborted(opening, signal)
      if (opened.accounts.length > 0) return [connectionOf(opened, networks)]
      throw new LatchkeyError('wallet/invalid-answer', { wallet: name, method: 'enable' })
    },
    async restore({ signal, networks }) {
      if (!consents.has(id)) return []
      const opened = await orAborted(open(walletPatience.read), signal)
      return opened.accounts.length === 0 ? [] : [connectionOf(opened, networks)]
    },
    // Extensions have no word for it: what they were allowed stays theirs, and is not asked for any more.
    async disconnect() {
      live?.leave()
      live = undefined
      consents.remove(id)
    },
  }
}

type Opened = { injected: unknown; accounts: readonly ExtensionAccount[] }

type FollowParts = {
  name: string
  /** What the app offers now, the preferred one first. */
  networks: readonly Network[]
  /** What the adapter knows. */
  known: readonly Network[]
  clock: Parameters<typeof extensionProvider>[2]
  left(): void
}

/** A connection that follows the accounts of an extension, and writes them as the active network does. */
function followExtension(
  opened: Opened,
  { name, networks, known, clock, left }: FollowParts,
): { connection: Connection; leave(): void } {
  const listeners = new Set<ConnectionListener>()
  const [preferred] = [...networks, ...known]
  let { accounts } = opened
  let chainId: ChainId = preferred?.caipNetworkId ?? 'polkadot:unknown'
  let stopAccounts: (() => void) | undefined
  const provider = extensionProvider(opened.injected, () => accounts, clock)

  const accountIds = (): readonly [AccountId, ...AccountId[]] => {
    const format = formatOf([...networks, ...known], chainId)
    // A connection has at least one account.
    return accounts.map(({ key }) => accountIdOf(chainId, addressOf(key, format))) as [AccountId, ...AccountId[]]
  }

  function leave(): void {
    stopAccounts?.()
    stopAccounts = undefined
    listeners.clear()
  }

  function heard(value: unknown): void {
    if (stopAccounts === undefined) return
    const next = readAccounts(value)
    const before = accounts.map(({ key }) => key.join()).join(';')
    if (next.map(({ key }) => key.join()).join(';') === before) return
    const told = [...listeners]
    if (next.length > 0) {
      accounts = next
      for (const listener of told) listener.accountsChanged(accountIds())
      return
    }
    leave()
    left()
    provider.abandon()
    for (const listener of told) listener.disconnected('account-removed')
  }

  const connection: Connection = {
    namespace: 'polkadot',
    get accounts() {
      return accountIds()
    },
    get chainId() {
      return chainId
    },
    approvedChains: 'all',
    provider,
    wallet: { name },
    details(account) {
      const key = accountKeyOf(parseAccountId(account).address).join()
      const found = accounts.find((each) => each.key.join() === key)
      return found && { type: 'eoa', publicKey: `0x${bytesToHex(found.key)}`, label: found.name }
    },
    switchTo(next) {
      if (next === chainId) return true
      const before = accountIds().map((account) => parseAccountId(account).address)
      chainId = next
      for (const listener of listeners) listener.chainChanged(next)
      const after = accountIds()
      if (after.map((account) => parseAccountId(account).address).join() === before.join()) return true
      for (const listener of listeners) listener.accountsChanged(after)
      return true
    },
    listen(listener) {
      listeners.add(listener)
      stopAccounts ??= subscribe(opened.injected, heard)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        stopAccounts?.()
        stopAccounts = undefined
      }
    },
  }
  return { connection, leave }
}

/** Follows the accounts of an extension; one that cannot be followed can still be asked. */
function subscribe(injected: unknown, heard: (accounts: unknown) => void): () => void {
  const ending = call(field(injected, 'accounts'), 'subscribe', heard).catch(() => undefined)
  return () => void ending.then((end) => typeof end === 'function' && end())
}

function pageTitle(): string {
  const title = typeof document === 'undefined' ? '' : document.title
  return title === '' ? 'This page' : title
}
