import type { Device } from '../storage/device.ts'
import type { HolderStore } from '../storage/holderStore.ts'

/** The e-mail addresses that were used in this browser. They need no device approval. Stored encrypted. */
export type KnownLogins = {
  has(email: string): Promise<boolean>
  add(email: string | undefined): Promise<void>
  forget(email: string | undefined): Promise<void>
}

const name = 'logins'
const most = 8

export function createKnownLogins(device: Device, store: HolderStore): KnownLogins {
  const read = async (): Promise<readonly string[]> => {
    const bytes = await device.decrypt(name)
    const stored: unknown = bytes && JSON.parse(new TextDecoder().decode(bytes))
    return Array.isArray(stored) ? stored.filter((each): each is string => typeof each === 'string') : []
  }
  const write = async (logins: readonly string[]): Promise<void> =>
    store.write({ [name]: await device.encrypt(name, new TextEncoder().encode(JSON.stringify(logins))) })

  return {
    has: async (email) => (await read()).includes(normalizeEmail(email)),
    async add(email) {
      if (email === undefined) return
      const before = await read()
      if (before[0] === normalizeEmail(email)) return
      const others = before.filter((each) => each !== normalizeEmail(email))
      await write([normalizeEmail(email), ...others].slice(0, most))
    },
    async forget(email) {
      if (email !== undefined) await write((await read()).filter((each) => each !== normalizeEmail(email)))
    },
  }
}

const normalizeEmail = (email: string): string => email.trim().toLowerCase()
