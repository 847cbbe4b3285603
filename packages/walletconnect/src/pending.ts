import type { Clock, Storage } from '@latchkey/core'
import { bytesToHex, hexToBytes, isHex32 } from './bytes.ts'
import type { ProposedNamespaces } from './grants.ts'
import { isRecord, parseJson } from './parse.ts'

/** A proposal that is shown, with all that it takes to answer its approval. */
export type PendingProposal = {
  readonly id: number
  readonly topic: string
  readonly symmetricKey: Uint8Array
  readonly privateKey: Uint8Array
  readonly namespaces: ProposedNamespaces
  /** Unix seconds. */
  readonly expiry: number
}

/** The proposals that are shown, over page loads: phones throw pages away while their visitor is in his wallet. */
export type PendingProposals = {
  /** Oldest first, without the expired. */
  all(): readonly PendingProposal[]
  add(proposal: PendingProposal): void
  drop(topic: string): void
}

/** Keeps proposals in `storage` under `prefix`, for the few minutes that they live. */
export function createPendingProposals(storage: Storage, prefix: string, clock: Clock): PendingProposals {
  const key = `${prefix}proposals`
  const all = (): readonly PendingProposal[] => {
    const stored = parseJson(storage.getItem(key) ?? '[]')
    const proposals = Array.isArray(stored) ? stored.flatMap((value) => readProposal(value) ?? []) : []
    return proposals.filter(({ expiry }) => expiry * 1000 > clock.now())
  }
  const write = (proposals: readonly PendingProposal[]): void => {
    if (proposals.length > 0) storage.setItem(key, JSON.stringify(proposals.map(written)))
    else storage.removeItem(key)
  }
  return {
    all,
    add: (proposal) => write([...all(), proposal]),
    drop: (topic) => write(all().filter((proposal) => proposal.topic !== topic)),
  }
}

function written(proposal: PendingProposal): object {
  const { symmetricKey, privateKey } = proposal
  return { ...proposal, symmetricKey: bytesToHex(symmetricKey), privateKey: bytesToHex(privateKey) }
}

function readProposal(value: unknown): PendingProposal | undefined {
  if (!isRecord(value) || !isHex32(value.symmetricKey) || !isHex32(value.privateKey)) return undefined
  // The rest was written by this file, too; what does not fit leads to no answer.
  const proposal = value as Omit<PendingProposal, 'symmetricKey' | 'privateKey'>
  return { ...proposal, symmetricKey: hexToBytes(value.symmetricKey), privateKey: hexToBytes(value.privateKey) }
}
