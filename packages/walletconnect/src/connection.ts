import type { Connection, ConnectionListener, EndReason, Provider } from '@latchkey/core'
import { LatchkeyError, type ChainId, type Namespace, type Network } from '@latchkey/protocol'
import type { Dapp } from './dapp.ts'
import { walletConnectError } from './errors.ts'
import { createEvmProvider } from './evmProvider.ts'
import { readChain, usableChains } from './grants.ts'
import { speaksEip1193 } from './namespaces.ts'
import type { createNativePart } from './nativePart.ts'
import type { Session } from './session.ts'
import { standingOf, type Standing } from './standing.ts'

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
  /** Tells the listeners that it is over, and why where that is known. */
  end(reason?: EndReason): void
  /** Whether it is over. */
  readonly isOver: boolean
}

/**
 * Makes the connection of one namespace of a session.
 *
 * @param networks what the app offers; the first that the wallet approved becomes the current chain, unless another was
 * current before.
 * @param createNative makes what families outside of EIP-1193 need besides; without it their requests pass as they are.
 * @returns nothing when the session has no account in the namespace.
 */
export function createConnection(
  dapp: Dapp,
  { topic, peer, namespaces, sessionProperties }: Session,
  namespace: Namespace,
  networks: readonly Pick<Network, 'caipNetworkId'>[],
  createNative?: typeof createNativePart,
): SessionConnection | undefined {
  const offered = networks.map(({ caipNetworkId }) => caipNetworkId)
  const listeners = new Set<ConnectionListener>()
  const first = standingOf(namespaces[namespace], namespaces[namespace]?.defaultChain, undefined, offered)
  if (first === undefined) return undefined
  let standing = first
  let isOver = false

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

  function end(reason?: EndReason): void {
    isOver = true
    stop()
    const told = [...listeners]
    listeners.clear()
    for (const listener of told) listener.disconnected(reason)
  }

  function switchTo(chainId: ChainId): boolean {
    const next = standingOf(standing.grant, chainId, standing.accounts[0], offered)
    if (next?.chainId !== chainId) return false
    move(next)
    return true
  }

  function select(selected: unknown): void {
    if (typeof selected !== 'string') return
    const next = standingOf(standing.grant, standing.chainId, selected, offered)
    if (next !== undefined) move(next)
  }

  const stop = dapp.listen(topic, {
    updated(session) {
      const { chainId, accounts } = standing
      const next = standingOf(session.namespaces[namespace], chainId, accounts[0], offered)
      if (next === undefined) end('account-removed')
      else move(next)
    },
    event({ name, data, chainId }) {
      if (!chainId.startsWith(`${namespace}:`)) return
      if (name === 'accountsChanged') select(Array.isArray(data) ? data[0] : undefined)
      native?.hear(name, data)
      const chain = name === 'chainChanged' ? readChain(data, namespace) : undefined
      if (chain !== undefined) switchTo(chain)
    },
    ended: end,
  })

  const ask = createAsk(dapp, { topic, peer }, () => standing)
  const wallet: Provider = { request: (request) => ask(request) }
  const chainId = (): ChainId => standing.chainId
  const accounts = (): Standing['accounts'] => standing.accounts
  const tell = (): void => listeners.forEach((listener) => listener.accountsChanged(standing.accounts))
  const create = speaksEip1193(namespace) ? undefined : createNative
  const native = create?.({ namespace, properties: sessionProperties, accounts, select, tell, wallet })

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
    provider: speaksEip1193(namespace)
      ? createEvmProvider({ chainId, accounts, switchTo, wallet })
      : (native?.provider ?? wallet),
    details: native?.details,
    ask,
    switchTo,
    wallet: { name: peer.name, icon: peer.icons.find((icon) => /^(https:|data:image\/)/.test(icon)) },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    end,
    get isOver() {
      return isOver
    },
  }
}

/** Asks the wallet what it approved, and nothing else. */
function createAsk(
  dapp: Dapp,
  { topic, peer }: Pick<Session, 'topic' | 'peer'>,
  standing: () => Standing,
): SessionConnection['ask'] {
  return async ({ method, params = [] }, on = standing().chainId, expiry) => {
    const { grant } = standing()
    if (dapp.session(topic) === undefined) throw walletConnectError('session/ended', { wallet: peer.name })
    if (!usableChains(grant).includes(on)) throw walletConnectError('network/unsupported', { chainId: on })
    if (!grant.methods.includes(method)) {
      const reason = 'the wallet did not approve this method for the session'
      throw new LatchkeyError('request/failed', { method, code: 4200, reason })
    }
    return dapp.request({ topic, chainId: on, method, params, expiry })
  }
}
