import type { Clock, Storage } from '@latchkey/core'
import { bytesToHex, hexToBytes, isHex32 } from '../crypto/bytes.ts'
import type { ProposedNamespaces } from '../session/sessionNamespaces.ts'
import { isUnknownRecord, tryParseJson } from '../primitives/unknownRecord.ts'

/** A proposal on display, with the keys to handle its approval. */
export type PendingProposal = {
  readonly id: number
  readonly topic: string
  readonly symmetricKey: Uint8Array
  readonly privateKey: Uint8Array
  readonly namespaces: ProposedNamespaces
  readonly requiredNamespaces?: ProposedNamespaces
  /** Unix seconds. */
  readonly expiry: number
}

/** The proposals on display, across page loads: phones unload pages while their user is in the wallet. */
export type PendingProposals = {
  /** Oldest first, without expired ones. */
  list(): readonly PendingProposal[]
  add(proposal: PendingProposal): void
  remove(topic: string): void
}

/** Keeps proposals in `storage` under `prefix` until they expire. */
export function createPendingProposals(storage: Storage, prefix: string, clock: Clock): PendingProposals {
  const key = `${prefix}proposals`
  const list = (): readonly PendingProposal[] => {
    const stored = tryParseJson(storage.getItem(key) ?? '[]')
    const proposals = Array.isArray(stored) ? stored.flatMap((value) => parsePendingProposal(value) ?? []) : []
    return proposals.filter(({ expiry }) => expiry * 1000 > clock.now())
  }
  const write = (proposals: readonly PendingProposal[]): void => {
    if (proposals.length > 0) storage.setItem(key, JSON.stringify(proposals.map(serializeProposal)))
    else storage.removeItem(key)
  }
  return {
    list,
    add: (proposal) => write([...list(), proposal]),
    remove: (topic) => write(list().filter((proposal) => proposal.topic !== topic)),
  }
}

function serializeProposal(proposal: PendingProposal): object {
  const { symmetricKey, privateKey } = proposal
  return { ...proposal, symmetricKey: bytesToHex(symmetricKey), privateKey: bytesToHex(privateKey) }
}

function parsePendingProposal(value: unknown): PendingProposal | undefined {
  if (!isUnknownRecord(value) || !isHex32(value.symmetricKey) || !isHex32(value.privateKey)) return undefined
  // The other members were written by this file, too. Wrong ones lead to no response.
  const proposal = value as Omit<PendingProposal, 'symmetricKey' | 'privateKey'>
  return { ...proposal, symmetricKey: hexToBytes(value.symmetricKey), privateKey: hexToBytes(value.privateKey) }
}
