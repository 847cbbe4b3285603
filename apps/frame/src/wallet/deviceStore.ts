/** The device's record of its wallet. A key that no script can read seals the share. */
export type DeviceRecord = {
  readonly setId: Uint8Array
  readonly share: Uint8Array
  /** The sealed vault. With it, a known device opens the wallet with the auth service alone. */
  readonly vault: Uint8Array
}

/** Stores the device's record. */
export type DeviceStore = {
  /** Returns a copy whose share the caller has to wipe. */
  read(): Promise<DeviceRecord | undefined>
  /** Atomic. The share stays with the caller, who wipes it. */
  write(record: DeviceRecord): Promise<void>
  clear(): Promise<void>
  /** As `read`, the record of the same person under an earlier user id. */
  readOf(previousUser: string): Promise<DeviceRecord | undefined>
  /** Takes over the record of the same person under an earlier user id. */
  takeOver(previousUser: string): Promise<void>
}

/** Creates a store in memory, for browsers that deny the frame storage. */
export function createMemoryDeviceStore(): DeviceStore {
  let stored: DeviceRecord | undefined
  const read = async (): Promise<DeviceRecord | undefined> => structuredClone(stored)
  return {
    read,
    async write(record) {
      stored = structuredClone(record)
    },
    async clear() {
      stored = undefined
    },
    // The record has no user id.
    readOf: read,
    takeOver: async () => undefined,
  }
}
