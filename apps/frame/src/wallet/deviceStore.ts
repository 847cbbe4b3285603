/** The device's record of its wallet. A key that no script can read seals the share. */
export type DeviceRecord = {
  readonly setId: Uint8Array
  readonly share: Uint8Array
  /** The sealed vault. With it, a known device opens the wallet with the auth service alone. */
  readonly vault: Uint8Array
}

/** Stores the device's record. */
export type DeviceStore = {
  read(): Promise<DeviceRecord | undefined>
  /** Atomic. */
  write(record: DeviceRecord): Promise<void>
  clear(): Promise<void>
  /** Returns the record of the same person under an earlier user id. */
  readOf(previousUser: string): Promise<DeviceRecord | undefined>
  /** Takes over the record of the same person under an earlier user id. */
  takeOver(previousUser: string): Promise<void>
}

/** Creates a store in memory, for browsers that deny the frame storage. */
export function createMemoryDeviceStore(): DeviceStore {
  let stored: DeviceRecord | undefined
  return {
    read: async () => stored,
    async write(record) {
      stored = record
    },
    async clear() {
      stored = undefined
    },
    // The record has no user id.
    readOf: async () => stored,
    takeOver: async () => undefined,
  }
}
