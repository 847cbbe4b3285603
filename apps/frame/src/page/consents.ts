import type { HolderStore } from '../worker/store.ts'

/** Which pages may see whose accounts. A login made on a page is its consent; every other page asks once. */
export type Consents = {
  has(user: string, origin: string): Promise<boolean>
  add(user: string, origin: string): Promise<void>
  /** Takes all of a user's back, as when he logs out. */
  clear(user: string): Promise<void>
}

export function createConsents(store: HolderStore): Consents {
  const read = async (user: string): Promise<readonly string[]> => {
    const kept = await store.read(`consents:${user}`)
    return Array.isArray(kept) ? kept.filter((each): each is string => typeof each === 'string') : []
  }
  return {
    has: async (user, origin) => (await read(user)).includes(origin),
    add: async (user, origin) =>
      store.write({ [`consents:${user}`]: [...(await read(user)).filter((each) => each !== origin), origin] }),
    clear: (user) => store.write({ [`consents:${user}`]: undefined }),
  }
}
