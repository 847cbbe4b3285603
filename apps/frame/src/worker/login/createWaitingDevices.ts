import type { ShareStore, WaitingDevice } from '../../services/shareStore.ts'

/** The new devices that wait for this one. */
export type WaitingDevices = {
  /** Requests the list while the login opens the wallet, because a login ends with it. */
  prefetch(): void
  /** Returns the prefetched list once, or requests it. */
  list(): Promise<readonly WaitingDevice[]>
}

type Prefetched = { readonly at: number; readonly devices: Promise<readonly WaitingDevice[] | undefined> }

/** The user may take minutes to open the wallet, and other devices may have started to wait in the meantime. */
const validMs = 10_000

/**
 * Creates the list of waiting devices.
 *
 * @example const { list } = createWaitingDevices({ shares, now: Date.now })
 */
export function createWaitingDevices({
  shares,
  now,
}: {
  readonly shares: Pick<ShareStore, 'waitingDevices'>
  now(): number
}): WaitingDevices {
  let prefetched: Prefetched | undefined
  return {
    prefetch() {
      // A device that the share store does not know yet is refused, and asks again later.
      prefetched = { at: now(), devices: shares.waitingDevices().catch(() => undefined) }
    },
    async list() {
      const taken = prefetched
      prefetched = undefined
      const isValid = taken !== undefined && now() - taken.at < validMs
      return (isValid ? await taken.devices : undefined) ?? shares.waitingDevices()
    },
  }
}
