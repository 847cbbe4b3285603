import { isRecord } from '@latchkey/protocol'
import type { PolicyKind, PolicyRecord } from '../../policy/policyRecord.ts'
import { fromBase64url, toBase64url } from '../../services/toBase64url.ts'
import type { Device } from '../storage/device.ts'
import type { HolderStore } from '../storage/holderStore.ts'

/** The newest records that this device has seen. They reveal a service that returns an older one. */
export type PolicyMemory = {
  /** `undefined` if this device has never loaded the policy. */
  read(): Promise<readonly PolicyRecord[] | undefined>
  write(records: readonly PolicyRecord[]): Promise<void>
}

/** Creates the memory of one user in this browser. It is encrypted. */
export function createPolicyMemory(device: Device, store: HolderStore, user: string): PolicyMemory {
  const name = `policy:${user}`
  return {
    async read() {
      const bytes = await device.decrypt(name)
      if (bytes === undefined) return undefined
      const json: unknown = JSON.parse(new TextDecoder().decode(bytes))
      return Array.isArray(json) ? json.flatMap(parseRecord) : undefined
    },
    async write(records) {
      const json = JSON.stringify(records.map(formatRecord))
      await store.write({ [name]: await device.encrypt(name, new TextEncoder().encode(json)) })
    },
  }
}

function formatRecord({ kind, counter, verifier, sealed, signature }: PolicyRecord): object {
  return {
    kind,
    counter,
    verifier: toBase64url(verifier),
    sealed: toBase64url(sealed),
    signature: toBase64url(signature),
  }
}

const kinds: readonly PolicyKind[] = ['policy', 'spending', 'pending']

function parseRecord(value: unknown): readonly PolicyRecord[] {
  const { kind, counter, verifier, sealed, signature } = isRecord(value) ? value : {}
  const known = kinds.find((each) => each === kind)
  if (known === undefined || typeof counter !== 'number') return []
  if (typeof verifier !== 'string' || typeof sealed !== 'string' || typeof signature !== 'string') return []
  return [
    {
      kind: known,
      counter,
      verifier: fromBase64url(verifier),
      sealed: fromBase64url(sealed),
      signature: fromBase64url(signature),
    },
  ]
}
