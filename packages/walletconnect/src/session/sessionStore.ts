import type { Storage } from '@latchkey/core'
import { isHex32 } from '../crypto/bytes.ts'
import { isUnknownRecord, tryParseJson, type UnknownRecord } from '../primitives/unknownRecord.ts'
import { parseLatestIds } from './latestIds.ts'
import { parseMetadata } from './metadata.ts'
import type { Session } from './session.ts'
import {
  parseProposedNamespaces,
  parseSessionNamespaces,
  type ProposedNamespaces,
  type SessionNamespaces,
} from './sessionNamespaces.ts'
import { parseSessionExtras } from './sessionExtras.ts'

/** The stored sessions of one side. */
export type SessionStore = {
  list(): readonly Session[]
  get(topic: string): Session | undefined
  save(session: Session): void
  remove(topic: string): void
  /** Calls `listener` when another tab changes the sessions. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void
}

/** Creates a store of sessions in `storage` under `prefix`. */
export function createSessionStore(storage: Storage, prefix: string): SessionStore {
  const key = `${prefix}sessions`
  // Read each time, because other tabs write it too.
  const list = (): readonly Session[] => {
    const stored = tryParseJson(storage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.flatMap((value) => parseStoredSession(value) ?? []) : []
  }
  const listWithout = (topic: string): readonly Session[] => list().filter((session) => session.topic !== topic)
  return {
    list,
    get: (topic) => list().find((session) => session.topic === topic),
    save: (session) => storage.setItem(key, JSON.stringify([...listWithout(session.topic), session])),
    remove: (topic) => storage.setItem(key, JSON.stringify(listWithout(topic))),
    subscribe: (listener) =>
      storage.subscribe?.((changed) => {
        if (changed === key) listener()
      }) ?? (() => {}),
  }
}

function parseStoredSession(value: unknown): Session | undefined {
  if (!isUnknownRecord(value) || !isHex32(value.topic) || typeof value.expiry !== 'number') return undefined
  try {
    const namespaces = parseSessionNamespaces(value.namespaces)
    return {
      topic: value.topic,
      peer: parseMetadata(value.peer),
      namespaces: restoreDefaultChains(namespaces, value.namespaces),
      ...parseStoredRequirements(value),
      // Written by this file, and no decision depends on it.
      optionalNamespaces: (value.optionalNamespaces ?? {}) as ProposedNamespaces,
      ...parseSessionExtras(value, namespaces),
      ...parseLatestIds(value.latestIds),
      ...(typeof value.link === 'string' ? { link: value.link } : {}),
      expiry: value.expiry,
    }
  } catch {
    return undefined
  }
}

/** Parses the required namespaces. Without them, the session has no requirements. */
function parseStoredRequirements({ requiredNamespaces }: UnknownRecord): Pick<Session, 'requiredNamespaces'> {
  if (requiredNamespaces === undefined) return {}
  return { requiredNamespaces: parseProposedNamespaces(requiredNamespaces) }
}

function restoreDefaultChains(namespaces: SessionNamespaces, stored: unknown): SessionNamespaces {
  const entries: UnknownRecord = isUnknownRecord(stored) ? stored : {}
  return Object.fromEntries(
    Object.entries(namespaces).map(([name, namespace]) => {
      const entry = entries[name]
      const stored = isUnknownRecord(entry) ? entry.defaultChain : undefined
      return [name, { ...namespace, defaultChain: namespace.chains.find((chain) => chain === stored) }]
    }),
  )
}
