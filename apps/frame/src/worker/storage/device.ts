import { createDeviceKey, openDeviceKey, type DeviceKey } from '../../services/deviceKey.ts'
import type { HolderStore } from './holderStore.ts'

/** This browser: the key that the services know, and the key that encrypts its storage. */
export type Device = {
  readonly key: DeviceKey
  /** Decrypts the entry of a name. Returns `undefined` if it is missing or doesn't open. */
  decrypt(name: string): Promise<Uint8Array | undefined>
  /** Encrypts bytes for the entry of a name, with a random nonce. The result opens under no other name. */
  encrypt(name: string, content: Uint8Array): Promise<Locked>
}

type Locked = { readonly nonce: Uint8Array<ArrayBuffer>; readonly sealed: ArrayBuffer }
type Keys = { readonly pair: CryptoKeyPair; readonly sealing: CryptoKey }

const nonceBytes = 12

/** Opens or creates the keys of this browser. No script can read them, so a copy of the storage is useless. */
export async function openDevice(store: HolderStore): Promise<Device> {
  const { pair, sealing } = await keysOf(store)
  const key = await openDeviceKey(pair)
  return {
    key,
    async decrypt(name) {
      const stored = await store.read(name)
      if (!isLocked(stored)) return undefined
      try {
        const parameters = { name: 'AES-GCM', iv: stored.nonce, additionalData: new TextEncoder().encode(name) }
        return new Uint8Array(await crypto.subtle.decrypt(parameters, sealing, stored.sealed))
      } catch {
        return undefined
      }
    },
    async encrypt(name, content) {
      // If the user cleared the site's storage, the keys are gone too. Without them nothing would open after a
      // reload.
      await store.claim('keys', { pair, sealing } satisfies Keys)
      const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes))
      const parameters = { name: 'AES-GCM', iv: nonce, additionalData: new TextEncoder().encode(name) }
      const copy = Uint8Array.from(content)
      try {
        return { nonce, sealed: await crypto.subtle.encrypt(parameters, sealing, copy) }
      } finally {
        copy.fill(0)
      }
    },
  }
}

async function keysOf(store: HolderStore): Promise<Keys> {
  const stored = await store.read('keys')
  if (isKeys(stored)) return stored
  const [{ pair }, sealing] = await Promise.all([
    createDeviceKey(),
    crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']),
  ])
  // Two windows may open at once. Both use the keys of the first.
  const held = await store.claim('keys', { pair, sealing } satisfies Keys)
  return isKeys(held) ? held : { pair, sealing }
}

function isKeys(stored: unknown): stored is Keys {
  return typeof stored === 'object' && stored !== null && 'pair' in stored && 'sealing' in stored
}

function isLocked(stored: unknown): stored is Locked {
  return typeof stored === 'object' && stored !== null && 'nonce' in stored && 'sealed' in stored
}
