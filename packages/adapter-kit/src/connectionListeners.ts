import type { ConnectionListener } from '@latchkey/core'

/** The listeners of one connection. */
export type ConnectionListeners = ConnectionListener & {
  isEmpty(): boolean
  /** Adds a listener; returns a function that removes it. */
  listen(listener: ConnectionListener): () => void
  /** Removes all listeners without notifying them. */
  clear(): void
}

/**
 * Keeps the listeners of a connection, and follows the wallet while there is at least one.
 *
 * @param follow starts to follow the wallet; returns a function that stops it
 * @example const listeners = createConnectionListeners(() => subscribe(wallet, update))
 */
export function createConnectionListeners(follow: () => () => void): ConnectionListeners {
  const listeners = new Set<ConnectionListener>()
  let unfollow: (() => void) | undefined

  function clear(): void {
    listeners.clear()
    unfollow?.()
    unfollow = undefined
  }

  return {
    isEmpty: () => listeners.size === 0,
    accountsChanged(accounts) {
      for (const listener of listeners) listener.accountsChanged(accounts)
    },
    chainChanged(chainId) {
      for (const listener of listeners) listener.chainChanged(chainId)
    },
    disconnected(reason) {
      const removed = [...listeners]
      clear()
      for (const listener of removed) listener.disconnected(reason)
    },
    listen(listener) {
      listeners.add(listener)
      unfollow ??= follow()
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) clear()
      }
    },
    clear,
  }
}
