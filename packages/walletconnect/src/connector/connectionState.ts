import type { ConnectionListener, EndReason } from '@latchkey/core'
import type { ChainId } from '@latchkey/protocol'
import type { SessionNamespace } from '../session/sessionNamespaces.ts'
import { selectAccounts, type ConnectionSelection } from './selection.ts'

/** The selected chain and accounts of a connection, with its listeners. */
export type ConnectionState = {
  get(): ConnectionSelection
  hasEnded(): boolean
  /** Selects an approved chain. Returns false if the wallet has not approved it. */
  switchTo(chainId: ChainId): boolean
  /** Selects an approved account by its address. Ignores other values. */
  selectAccount(address: unknown): void
  /** Takes a changed approval. Ends the connection if no account is left. */
  update(namespace: SessionNamespace | undefined): void
  /** Reports the accounts again, after their details changed. */
  notifyAccounts(): void
  listen(listener: ConnectionListener): () => void
  /** Reports the end and removes all listeners. */
  end(reason?: EndReason): void
}

export type ConnectionStateOptions = {
  initial: ConnectionSelection
  /** The chains of the app, in order of preference. */
  offered: readonly ChainId[]
  /** Called when another chain is selected, before the listeners. */
  onChainChanged(chainId: ChainId): void
  onEnd(): void
}

/** Creates the state of a connection. */
export function createConnectionState({
  initial,
  offered,
  onChainChanged,
  onEnd,
}: ConnectionStateOptions): ConnectionState {
  const listeners = new Set<ConnectionListener>()
  let current = initial
  let isEnded = false

  function move(next: ConnectionSelection): void {
    const previous = current
    current = next
    if (next.chainId !== previous.chainId) {
      onChainChanged(next.chainId)
      for (const listener of listeners) listener.chainChanged(next.chainId)
    }
    if (next.accounts.join() === previous.accounts.join()) return
    for (const listener of listeners) listener.accountsChanged(next.accounts)
  }

  function end(reason?: EndReason): void {
    isEnded = true
    onEnd()
    const remaining = [...listeners]
    listeners.clear()
    for (const listener of remaining) listener.disconnected(reason)
  }

  return {
    get: () => current,
    hasEnded: () => isEnded,
    switchTo(chainId) {
      const next = selectAccounts(current.scope, chainId, current.accounts[0], offered)
      if (next?.chainId !== chainId) return false
      move(next)
      return true
    },
    selectAccount(address) {
      if (typeof address !== 'string') return
      const next = selectAccounts(current.scope, current.chainId, address, offered)
      if (next !== undefined) move(next)
    },
    update(namespace) {
      const next = selectAccounts(namespace, current.chainId, current.accounts[0], offered)
      if (next === undefined) end('account-removed')
      else move(next)
    },
    notifyAccounts: () => listeners.forEach((listener) => listener.accountsChanged(current.accounts)),
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    end,
  }
}
