import { isLatchkeyError } from '@latchkey/protocol'
import { ServiceRefusal } from '../services/ask.ts'
import { createWallet, recover, unlock, type Keepers, type OpenWallet, type RecoveryWay } from '../wallet/enrol.ts'
import type { WayOf } from '../wallet/rotate.ts'
import type { ShownWay } from './keyHolder.ts'

/** What a login came to: the open wallet, or the ways of which the visitor has to go one. */
export type Opened = { readonly wallet: OpenWallet } | { readonly ways: readonly ShownWay[] }

export type EnterParts = {
  readonly keepers: Keepers
  /** Goes the ways that need nobody. */
  readonly wayOf: WayOf
  /** Whether the auth service knows of no wallet: only then one is made, however little the share store knows. */
  readonly isNew: boolean
  now(): number
}

/**
 * Opens the wallet by this device's part; on a new device by what the services keep, as far as that goes by itself; and
 * makes it where there is none.
 *
 * @throws ServiceRefusal 403 `device` when the share store wants the device approved first
 */
export async function enterWallet(parts: EnterParts): Promise<Opened> {
  const wallet = await unlockHere(parts.keepers)
  if (wallet !== undefined) return { wallet }
  const opened = await recoverAlone(parts)
  if (opened !== undefined) return opened
  // There was a wallet, so another one is never made in its place.
  if (!parts.isNew) {
    throw new ServiceRefusal(404, 'wallet', 'Your wallet is not kept here any more. Use the device you had it on.')
  }
  return make(parts)
}

async function recoverAlone({ keepers, wayOf }: EnterParts): Promise<Opened | undefined> {
  const kept = await keepers.shares.find()
  if (kept === undefined) return undefined
  if (!kept.wraps.some(({ method }) => method === 'auto')) {
    return { ways: kept.wraps.map(({ id, method }) => ({ id, method })) }
  }
  try {
    return { wallet: await recover(keepers, wayOf) }
  } catch (error) {
    // What made it died before it counted: nobody was ever told an address.
    if (isLatchkeyError(error, 'custody/invalid-share')) return undefined
    throw error
  }
}

async function make(parts: EnterParts): Promise<Opened> {
  const { keepers, now } = parts
  const auto: RecoveryWay = { id: 'auto', method: 'auto', key: await keepers.shares.autoKey(), facts: '{}' }
  try {
    return { wallet: await createWallet(keepers, [auto], now()) }
  } catch (error) {
    // Another window made it meanwhile.
    if (!(error instanceof ServiceRefusal && error.status === 409)) throw error
    const opened = await recoverAlone(parts)
    if (opened === undefined) throw error
    return opened
  } finally {
    auto.key.fill(0)
  }
}

/** A part that does not open is as good as none: the services know better. */
async function unlockHere(keepers: Keepers): Promise<OpenWallet | undefined> {
  try {
    return await unlock(keepers)
  } catch (error) {
    if (isLatchkeyError(error) && error.code.startsWith('custody/')) return undefined
    throw error
  }
}
