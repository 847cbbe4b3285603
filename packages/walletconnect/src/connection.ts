import type { Connection, ConnectionListener, Provider } from '@latchkey/core'
import { LatchkeyError, type AccountId, type ChainId, type Namespace, type Network } from '@latchkey/protocol'
import type { Dapp } from './dapp.ts'
import { walletConnectError } from './errors.ts'
import { createEvmProvider } from './evmProvider.ts'
import { accountsOn, readChain, usableChains, type SessionNamespace } from './grants.ts'
import { speaksEip1193 } from './namespaces.ts'
import type { Session } from './session.ts'

/** A session's consent for one namespace, which its owner can end. */
export type SessionConnection = Connection & {
  /**
   * Asks the wallet on one chain, the current one by default.
   *
   * @param expiry how long the wallet may take, in seconds
   * @throws LatchkeyError `network/unsupported` for a chain that the wallet did not approve, and what its provider throws.
   */
  ask(request: { method: string; params?: unknown }, chainId?: ChainId, expiry?: number): Promise<unknown>
  /** Makes an approved chain the current one; false when the wallet has not approved it. */
  switchTo(chainId: ChainId): boolean
  /** Tells the listeners that it is over. */
  end(): void
}

type Accounts = readonly [AccountId, ...AccountId[]]

/** Where a connection stands; replaced whole. */
type Standing = { readonly grant: SessionNamespace; readonly chainId: ChainId; readonly accounts: Accounts }

/**
 * Makes the connection of one namespace of a session.
 *
 * @param networks what the app offers; the first that the wallet approved becomes the current chain, unless another was
 * current before.
 * @returns nothing when the session has no account in the namespace.
 */
export function createConnection(
  dapp: Dapp,
  { topic, peer, namespaces }: Session,
  namespace: Namespace,
  networks: readonly Pick<Network, 'caipNetworkId'>[],
): SessionConnection | undefined {
  const offered = networks.map(({ caipNetworkId }) => caipNetworkId)
  const listeners = new Set<ConnectionListener>()
  const first = standingOf(namespaces[namespace], namespaces[namespace]?.defaultChain, undefined, offered)
  if (first === undefined) return undefined
  let standing = first

  function move(next: Standing): void {
    const before = standing
    standing = next
    if (next.chainId !== before.chainId) {
      dapp.setDefaultChain(topic, next.chainId)
      for (const listener of listeners) listener.chainChanged(next.chainId)
    }
    if (next.accounts.join() === before.accounts.join()) return
    for (const listener of listeners) listener.accountsChanged(next.accounts)
  }

  function end(): void {
    stop()
    const told = [...listeners]
    listeners.clear()
    for (const listener of told) listener.disconnected()
  }

  function switchTo(chainId: ChainId): boolean {
    const next = standingOf(standing.grant, chainId, standing.accounts[0], offered)
    if (next?.chainId !== chainId) return false
    move(next)
    return true
  }

  function select(data: unknown): void {
    const [selected] = Array.isArray(data) ? data : []
    if (typeof selected !== 'string') return
    const next = standingOf(standing.grant, standing.chainId, selected, offered)
    if (next !== undefined) move(next)
  }

  const stop = dapp.listen(topic, {
    updated(session) {
      const { chainId, accounts } = standing
      const next = standingOf(session.namespaces[namespace], chainId, accounts[0], offered)
      if (next === undefined) end()
      else move(next)
    },
    event({ name, data, chainId }) {
      if (!chainId.startsWith(`${namespace}:`)) return
      if (name === 'accountsChanged') select(data)
      const chain = name === 'chainChanged' ? readChain(data, namespace) : undefined
      if (chain !== undefined) switchTo(chain)
    },
    ended: end,
  })

  const ask: SessionConnection['ask'] = async ({ method, params = [] }, on = standing.chainId, expiry) => {
    if (dapp.session(topic) === undefined) throw walletConnectError('session/ended', { wallet: peer.name })
    if (!usableChains(standing.grant).includes(on)) throw walletConnectError('network/unsupported', { chainId: on })
    if (!standing.grant.methods.includes(method)) {
      const reason = 'the wallet did not approve this method for the session'
      throw new LatchkeyError('request/failed', { method, code: 4200, reason })
    }
    return dapp.request({ topic, chainId: on, method, params, expiry })
  }

  const wallet: Provider = { request: (request) => ask(request) }
  const chainId = (): ChainId => standing.chainId
  const accounts = (): Accounts => standing.accounts

  return {
    namespace,
    get accounts() {
      return standing.accounts
    },
    get chainId() {
      return standing.chainId
    },
    get approvedChains() {
      return usableChains(standing.grant)
    },
    provider: speaksEip1193(namespace) ? createEvmProvider({ chainId, accounts, switchTo, wallet }) : wallet,
    ask,
    switchTo,
    wallet: { name: peer.name, icon: peer.icons.find((icon) => /^(https:|data:image\/)/.test(icon)) },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    end,
  }
}

/** The chain and accounts that follow from a grant and two wishes. */
function standingOf(
  grant: SessionNamespace | undefined,
  wantedChain: ChainId | undefined,
  wantedAccount: string | undefined,
  offered: readonly ChainId[],
): Standing | undefined {
  if (grant === undefined) return undefined
  const usable = usableChains(grant)
  const wished = [wantedChain, ...offered].find((chain) => chain !== undefined && usable.includes(chain))
  const chainId = wished ?? usable[0]
  if (chainId === undefined) return undefined
  // The session was read by rules of CAIP-10 that these literals repeat.
  const approved = [...new Set(accountsOn(grant, chainId))] as AccountId[]
  const isWanted = (account: AccountId): boolean =>
    wantedAccount !== undefined && addressOf(account) === addressOf(wantedAccount)
  const [head, ...others] = [...approved.filter(isWanted), ...approved.filter((account) => !isWanted(account))]
  return head === undefined ? undefined : { grant, chainId, accounts: [head, ...others] }
}

/** The address in a CAIP-10 id or in a plain address, for comparing: wallets differ in the case of hex. */
function addressOf(account: string): string {
  const address = account.slice(account.lastIndexOf(':') + 1)
  return address.startsWith('0x') ? address.toLowerCase() : address
}
