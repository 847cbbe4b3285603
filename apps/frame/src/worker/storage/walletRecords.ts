import type { DeviceRecord, DeviceStore } from '../../wallet/deviceStore.ts'
import type { Device } from './device.ts'
import type { HolderStore } from './holderStore.ts'

/**
 * Creates the record of one user's wallet in this browser. The key share is encrypted. The vault is useless without two
 * shares.
 */
export function createWalletRecords(device: Device, store: HolderStore, user: string): DeviceStore {
  const name = `share:${user}`
  const rest = `wallet:${user}`
  const records: DeviceStore = {
    async read() {
      const [share, stored] = await Promise.all([device.decrypt(name), store.read(rest)])
      return share === undefined || !isRest(stored) ? undefined : { ...stored, share }
    },
    async write({ setId, share, vault }) {
      await store.write({ [name]: await device.encrypt(name, share), [rest]: { setId, vault } })
    },
    clear: () => store.write({ [name]: undefined, [rest]: undefined }),
    readOf: (previousUser) => createWalletRecords(device, store, previousUser).read(),
    async takeOver(previousUser) {
      const previous = createWalletRecords(device, store, previousUser)
      const record = await previous.read()
      if (record === undefined) return
      await records.write(record)
      record.share.fill(0)
      await previous.clear()
    },
  }
  return records
}

function isRest(stored: unknown): stored is Omit<DeviceRecord, 'share'> {
  return typeof stored === 'object' && stored !== null && 'setId' in stored && 'vault' in stored
}
