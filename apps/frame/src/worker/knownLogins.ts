import type { Device } from './device.ts'
import type { HolderStore } from './store.ts'

/** The addresses that this browser was used for: they need no approval of the device any more. Locked, as all is. */
export type KnownLogins = {
  has(email: string): Promise<boolean>
  add(email: string | undefined): Promise<void>
  forget(email: string | undefined): Promise<void>
}

const name = 'logins'
const most = 8

export function createKnownLogins(device: Device, store: HolderStore): KnownLogins {
  const read = async (): Promise<readonly string[]> => {
    const bytes = await device.open(name)
    const kept: unknown = bytes && JSON.parse(new TextDecoder().decode(bytes))
    return Array.isArray(kept) ? kept.filter((each): each is string => typeof each === 'string') : []
  }
  const write = async (logins: readonly string[]): Promise<void> =>
    store.write({ [name]: await device.lock(name, new TextEncoder().encode(JSON.stringify(logins))) })

  return {
    has: async (email) => (await read()).includes(plain(email)),
    async add(email) {
      if (email === undefined) return
      const others = (await read()).filter((each) => each !== plain(email))
      await write([plain(email), ...others].slice(0, most))
    },
    async forget(email) {
      if (email !== undefined) await write((await read()).filter((each) => each !== plain(email)))
    },
  }
}

const plain = (email: string): string => email.trim().toLowerCase()
