import { isRecord } from '@latchkey/protocol'
import type { Memory } from './memory.ts'

/** The link that opens the connected phone wallet for its next request. */
export type DeepLink = { href: string; name: string }

const key = 'deep_link'

/** Returns the link of the connected phone wallet. */
export function getDeepLink(memory: Pick<Memory, 'read'>): DeepLink | undefined {
  const stored = memory.read(key)
  if (!isRecord(stored) || typeof stored['href'] !== 'string' || typeof stored['name'] !== 'string') return undefined
  return { href: stored['href'], name: stored['name'] }
}

/** Stores the link of the connected phone wallet. `undefined` removes it. */
export function setDeepLink(memory: Pick<Memory, 'write'>, link: DeepLink | undefined): void {
  memory.write(key, link)
}
