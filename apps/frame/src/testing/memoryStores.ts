import type { AuthShares, EnrolmentPlace, ShareStore, StoredEnrolment } from '../services/shareStore.ts'
import { createMemoryDeviceStore } from '../wallet/deviceStore.ts'
import type { KeyShareStores } from '../wallet/enrol.ts'
import { interceptStores } from './interceptStores.ts'

/** Stores of one user in memory, which throw at a step from now on. */
export type MemoryStores = KeyShareStores & { failAt(step: string | undefined): void }

/** Creates stores without services, for tests of every step. They keep copies of what they get. */
export function createMemoryStores(): MemoryStores {
  const device = createMemoryDeviceStore()
  const remote = new Map<string, EnrolmentPlace & { share: Uint8Array }>()
  const stored = new Map<string, StoredEnrolment>()
  let failing: string | undefined
  let latest = ''
  const copy = <value>(value: value): value => structuredClone(value)
  const auth: AuthShares = {
    prepare: async (set) => void remote.set(String(set.setId), copy(set)),
    read: async (setId) => copy(remote.get(String(setId))),
    commit: async (_, prove) => void (await prove?.(new Uint8Array(32))),
    commitProven: async (_, prove) => void (await prove(new Uint8Array(32))),
    own: async () => copy(remote.get(String((await device.read())?.setId))),
    any: async ({ setId }) => copy(remote.get(String(setId))),
    revoke: async () => undefined,
  }
  const shares: Partial<ShareStore> = {
    async prepare({ vault = stored.get(latest)?.vault, wraps = stored.get(latest)?.wraps, ...set }) {
      if (vault === undefined || wraps === undefined) throw new Error('no vault')
      stored.set(String(set.setId), copy({ ...set, vault, wraps }))
    },
    read: async (setId) => copy(stored.get(String(setId))),
    async commit(setId, sign) {
      await sign?.(new Uint8Array(32))
      latest = String(setId)
    },
    async commitProven(setId, sign) {
      await sign(new Uint8Array(32))
      latest = String(setId)
    },
    find: async () => copy(stored.get(latest)),
    addRecoveryMethod: async (_, sign) => void (await sign(new Uint8Array(32))),
  }

  // The tested actions call no other methods.
  const stores = { auth, shares: shares as ShareStore, device }
  return {
    ...interceptStores(stores, async ({ step, run }) => {
      const isFailing = failing === step
      // Even a step that fails late had its input.
      const result = await run()
      if (isFailing) throw new Error('died')
      return result
    }),
    failAt(step) {
      failing = step
    },
  }
}
