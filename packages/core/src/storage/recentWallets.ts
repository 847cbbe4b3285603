import { isRecord } from '@latchkey/protocol'
import type { Memory } from './memory.ts'

/** A wallet that the user used before. */
export type RecentWallet = { id: string; name: string }

const key = 'recent_wallets'
const recentLimit = 2

/** Returns the wallets that the user used last: at most two, newest first. */
export function getRecentWallets(memory: Pick<Memory, 'read'>): readonly RecentWallet[] {
  const stored = memory.read(key)
  if (!Array.isArray(stored)) return []
  return stored.flatMap(parseRecentWallet).slice(0, recentLimit)
}

/** Puts a wallet first in the list. */
export function addRecentWallet(memory: Pick<Memory, 'read' | 'write'>, wallet: RecentWallet): void {
  const others = getRecentWallets(memory).filter(({ id }) => id !== wallet.id)
  memory.write(key, [wallet, ...others].slice(0, recentLimit))
}

function parseRecentWallet(value: unknown): RecentWallet[] {
  if (!isRecord(value) || typeof value['id'] !== 'string' || typeof value['name'] !== 'string') return []
  return [{ id: value['id'], name: value['name'] }]
}
