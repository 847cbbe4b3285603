import type { DeviceRecord, DeviceStore } from '../wallet/deviceStore.ts'
import type { Device } from './device.ts'
import type { HolderStore } from './store.ts'

/** What this browser remembers of one user's wallet. The part of the key is locked; the vault is noise without two. */
export function createRecords(device: Device, store: HolderStore, user: string): DeviceStore {
  const name = `share:${user}`
  const rest = `wallet:${user}`
  return {
    async read() {
      const [share, kept] = await Promise.all([device.open(name), store.read(rest)])
      return share === undefined || !isRest(kept) ? undefined : { ...kept, share }
    },
    async write({ setId, share, vault }) {
      await store.write({ [name]: await device.lock(name, share), [rest]: { setId, vault } })
    },
    clear: () => store.write({ [name]: undefined, [rest]: undefined }),
  }
}

function isRest(kept: unknown): kept is Omit<DeviceRecord, 'share'> {
  return typeof kept === 'object' && kept !== null && 'setId' in kept && 'vault' in kept
}
