import { localSignIn, pageStorage, type SignIn } from '@latchkey/core'
import type { ChainId, SignInSession } from '@latchkey/protocol'

/** Keeps sessions. */
export type SIWXStorage = {
  add(session: SignInSession): Promise<void>
  set(sessions: readonly SignInSession[]): Promise<void>
  /** Returns the sessions of an account that are valid now. */
  get(chainId: ChainId, address: string): Promise<readonly SignInSession[]>
  delete(chainId: ChainId, address: string): Promise<void>
}

/**
 * Keeps sessions in the page's localStorage.
 *
 * @example const storage = new LocalStorage({ key: '@example/sessions' })
 */
export class LocalStorage implements SIWXStorage {
  readonly #sessions: SignIn

  constructor({ key }: { key?: string } = {}) {
    const { getItem, setItem, removeItem } = pageStorage()
    const storage =
      key === undefined
        ? undefined
        : {
            getItem: () => getItem(key),
            setItem: (_key: string, value: string) => setItem(key, value),
            removeItem: () => removeItem(key),
          }
    this.#sessions = localSignIn({ storage })
  }

  add(session: SignInSession): Promise<void> {
    return this.#sessions.addSession(session)
  }

  set(sessions: readonly SignInSession[]): Promise<void> {
    return this.#sessions.setSessions(sessions)
  }

  get(chainId: ChainId, address: string): Promise<readonly SignInSession[]> {
    return this.#sessions.getSessions(chainId, address)
  }

  delete(chainId: ChainId, address: string): Promise<void> {
    return this.#sessions.revokeSession(chainId, address)
  }
}
