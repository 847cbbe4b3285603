import { createDeviceKey, openDeviceKey, type DeviceKey } from '../services/deviceKey.ts'
import type { HolderStore } from './store.ts'

/** This browser, as the services know it, and what it locks its own memory with. */
export type Device = {
  readonly key: DeviceKey
  /** Reads what was put away under a name; undefined where there is nothing, or nothing that opens. */
  open(name: string): Promise<Uint8Array | undefined>
  /** Locks bytes to be put away under a name: with another nonce each time, and of no use under another name. */
  lock(name: string, content: Uint8Array): Promise<Locked>
}

type Locked = { readonly nonce: Uint8Array<ArrayBuffer>; readonly sealed: ArrayBuffer }
type Keys = { readonly pair: CryptoKeyPair; readonly sealing: CryptoKey }

const nonceBytes = 12

/**
 * Takes up the keys of this browser, or makes them. No script can read either: what is copied from the disk without them
 * is noise.
 */
export async function openDevice(store: HolderStore): Promise<Device> {
  const { pair, sealing } = await keysOf(store)
  const key = await openDeviceKey(pair)
  return {
    key,
    async open(name) {
      const kept = await store.read(name)
      if (!isLocked(kept)) return undefined
      try {
        const parameters = { name: 'AES-GCM', iv: kept.nonce, additionalData: new TextEncoder().encode(name) }
        return new Uint8Array(await crypto.subtle.decrypt(parameters, sealing, kept.sealed))
      } catch {
        return undefined
      }
    },
    async lock(name, content) {
      // Who cleared what this site keeps took the keys along, and nothing would open this after the page was closed.
      await store.claim('keys', { pair, sealing } satisfies Keys)
      const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes))
      const parameters = { name: 'AES-GCM', iv: nonce, additionalData: new TextEncoder().encode(name) }
      return { nonce, sealed: await crypto.subtle.encrypt(parameters, sealing, Uint8Array.from(content)) }
    },
  }
}

async function keysOf(store: HolderStore): Promise<Keys> {
  const kept = await store.read('keys')
  if (isKeys(kept)) return kept
  const [{ pair }, sealing] = await Promise.all([
    createDeviceKey(),
    crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']),
  ])
  // Two windows may open at once: both go on with the keys of the first.
  const held = await store.claim('keys', { pair, sealing } satisfies Keys)
  return isKeys(held) ? held : { pair, sealing }
}

function isKeys(kept: unknown): kept is Keys {
  return typeof kept === 'object' && kept !== null && 'pair' in kept && 'sealing' in kept
}

function isLocked(kept: unknown): kept is Locked {
  return typeof kept === 'object' && kept !== null && 'nonce' in kept && 'sealed' in kept
}
