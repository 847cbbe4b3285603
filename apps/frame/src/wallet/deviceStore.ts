/** What a device remembers of its wallet. The share is sealed by a key that no script can read. */
export type DeviceRecord = {
  readonly setId: Uint8Array
  readonly share: Uint8Array
  /** As the services keep it: so that a known device opens the wallet with the auth service alone. */
  readonly vault: Uint8Array
}

/** Where a device remembers it. */
export type DeviceStore = {
  read(): Promise<DeviceRecord | undefined>
  /** Whole or not at all. */
  write(record: DeviceRecord): Promise<void>
  clear(): Promise<void>
}

/** Remembers until the page is closed: for browsers that let the frame keep nothing. */
export function memoryDeviceStore(): DeviceStore {
  let kept: DeviceRecord | undefined
  return {
    read: async () => kept,
    async write(record) {
      kept = record
    },
    async clear() {
      kept = undefined
    },
  }
}
