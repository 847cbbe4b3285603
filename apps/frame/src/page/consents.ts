import type { HolderStore } from '../worker/storage/holderStore.ts'

/** Consents of users to pages. A login on a page is a consent. Every other page asks once. */
export type Consents = {
  has(user: string, origin: string): Promise<boolean>
  add(user: string, origin: string): Promise<void>
  /** Revokes all consents of a user, for example on logout. */
  clear(user: string): Promise<void>
}

export function createConsents(store: HolderStore): Consents {
  const read = async (user: string): Promise<readonly string[]> => {
    const stored = await store.read(`consents:${user}`)
    return Array.isArray(stored) ? stored.filter((each): each is string => typeof each === 'string') : []
  }
  return {
    has: async (user, origin) => (await read(user)).includes(origin),
    add: async (user, origin) =>
      store.write({ [`consents:${user}`]: [...(await read(user)).filter((each) => each !== origin), origin] }),
    clear: (user) => store.write({ [`consents:${user}`]: undefined }),
  }
}
