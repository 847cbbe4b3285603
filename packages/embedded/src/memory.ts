import type { LoginUser, Storage } from '@latchkey/core'
import { prefix } from './known.ts'

/** What the page remembers of a login between two loads: nothing that opens anything [I-08]. */
export type LoginMemory = {
  isLoggedIn(): boolean
  user(): LoginUser
  /** Remembers that there is a login, and whom to show. */
  login(user: LoginUser): void
  /** Forgets the login. When an address may be mailed again is not part of it. */
  forget(): void
  mailedAt(): number | undefined
  setMailedAt(at: number | undefined): void
  chain(): string | undefined
  setChain(chainId: string): void
  smartNetworks(): readonly number[]
  setSmartNetworks(ids: readonly number[]): void
}

const loginKeys = ['login', 'email', 'user_name', 'social', 'chain', 'smart_networks'] as const

/** A storage that is denied is one that has nothing. */
export function createLoginMemory(storage: Storage): LoginMemory {
  const read = (key: string): string | undefined => {
    try {
      return storage.getItem(prefix + key)
    } catch {
      return undefined
    }
  }
  const write = (key: string, value: string | undefined): void => {
    try {
      if (value === undefined) storage.removeItem(prefix + key)
      else storage.setItem(prefix + key, value)
    } catch {
      // The login lasts as long as the page then.
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
