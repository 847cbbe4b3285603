import type { LoginUser, Storage } from '@latchkey/core'
import { storagePrefix } from '../embeddedNamespaces.ts'

/** The login data in the page's storage. It gives no access to the wallet [I-08]. */
export type LoginMemory = {
  isLoggedIn(): boolean
  user(): LoginUser
  /** Stores the login and its user. */
  login(user: LoginUser): void
  /** Removes the login. The mail cooldown stays. */
  forget(): void
  mailedAt(): number | undefined
  setMailedAt(at: number | undefined): void
  chain(): string | undefined
  setChain(chainId: string): void
  smartNetworks(): readonly number[]
  setSmartNetworks(ids: readonly number[]): void
}

const loginKeys = ['login', 'email', 'user_name', 'social', 'chain', 'smart_networks'] as const

/** Creates the login memory. A denied storage counts as empty. */
export function createLoginMemory(storage: Storage): LoginMemory {
  const read = (key: string): string | undefined => {
    try {
      return storage.getItem(storagePrefix + key)
    } catch {
      return undefined
    }
  }
  const write = (key: string, value: string | undefined): void => {
    try {
      if (value === undefined) storage.removeItem(storagePrefix + key)
      else storage.setItem(storagePrefix + key, value)
    } catch {
      // Then the login lasts as long as the page.
    }
  }
  return {
    isLoggedIn: () => read('login') === 'true',
    user: () => ({ email: read('email'), userName: read('user_name'), social: socialOf(read('social')) }),
    login({ email, userName, social }) {
      write('login', 'true')
      write('email', email)
      write('user_name', userName)
      write('social', social)
    },
    forget: () => loginKeys.forEach((key) => write(key, undefined)),
    mailedAt() {
      const at = Number(read('mailed_at') ?? Number.NaN)
      return Number.isFinite(at) ? at : undefined
    },
    setMailedAt: (at) => write('mailed_at', at === undefined ? undefined : String(at)),
    chain: () => read('chain'),
    setChain: (chainId) => write('chain', chainId),
    smartNetworks: () =>
      (read('smart_networks') ?? '').split(',').filter(Boolean).map(Number).filter(Number.isSafeInteger),
    setSmartNetworks: (ids) => write('smart_networks', ids.join(',')),
  }
}

const socials: readonly NonNullable<LoginUser['social']>[] = [
  'google',
  'x',
  'discord',
  'farcaster',
  'github',
  'apple',
  'facebook',
]

function socialOf(name: string | undefined): LoginUser['social'] {
  return socials.find((social) => social === name)
}
