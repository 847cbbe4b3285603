import { isLatchkeyError } from '@latchkey/protocol'
import { isRecord, ServiceRefusal, type Ask } from '../services/ask.ts'
import { readBytes } from '../services/bytes.ts'
import { createAuthKeeper, createShareKeeper, type KeptWrap } from '../services/services.ts'
import { createWallet, recover, unlock, type Keepers, type OpenWallet, type RecoveryWay } from '../wallet/enrol.ts'
import type { DeviceStore } from '../wallet/deviceStore.ts'
import type { ShownWay } from './keyHolder.ts'

/** What a login came to: the open wallet, or the ways of which the visitor has to go one. */
export type Opened = { readonly wallet: OpenWallet } | { readonly ways: readonly ShownWay[] }

/** How the wallet of somebody who logged in is had on this device. */
export type Entrance = {
  readonly keepers: Keepers
  /**
   * Opens the wallet by this device's part; on a new device by what the services keep, as far as that goes by itself; and
   * makes it where there is none.
   *
   * @param isNew whether the auth service knows of no wallet: only then one is made, however little the share store knows
   * @throws ServiceRefusal 403 `device` when the share store wants the device approved first
   */
  enter(isNew: boolean): Promise<Opened>
  /** Opens it by the key of one of the ways. @throws LatchkeyError `custody/unreadable` with another password or passkey */
  recoverBy(wayOf: (wrap: KeptWrap) => Promise<Uint8Array | undefined>): Promise<OpenWallet>
}

export type EntranceParts = {
  /** Both as the one who is logged in. */
  readonly auth: Ask
  readonly shares: Ask
  readonly records: DeviceStore
  now(): number
}

export function createEntrance({ auth, shares, records, now }: EntranceParts): Entrance {
  const keepers: Keepers = { auth: createAuthKeeper(auth), shares: createShareKeeper(shares), device: records }

  const autoWay = async (): Promise<RecoveryWay> => ({
    id: 'auto',
    method: 'auto',
    key: await autoKey(shares),
    facts: '{}',
  })

  async function openOrRecover(): Promise<Opened | undefined> {
    const kept = await keepers.shares.find()
    if (kept === undefined) return undefined
    if (!kept.wraps.some(({ method }) => method === 'auto')) {
      return { ways: kept.wraps.map(({ id, method }) => ({ id, method })) }
    }
    const wayOf = async ({ method }: KeptWrap) => (method === 'auto' ? autoKey(shares) : undefined)
    return { wallet: await recover(keepers, wayOf) }
  }

  async function make(): Promise<Opened> {
    try {
      return { wallet: await createWallet(keepers, [await autoWay()], now()) }
    } catch (error) {
      // Another window made it meanwhile.
      if (!(error instanceof ServiceRefusal && error.status === 409)) throw error
      const opened = await openOrRecover()
      if (opened === undefined) throw error
      return opened
    }
  }

  return {
    keepers,
    async enter(isNew) {
      const wallet = await unlockHere(keepers)
      if (wallet !== undefined) return { wallet }
      const opened = await openOrRecover()
      if (opened !== undefined) return opened
      // There was a wallet, so another one is never made in its place.
      if (!isNew)
        throw new ServiceRefusal(404, 'wallet', 'Your wallet is not kept here any more. Use the device you had it on.')
      return make()
    },
    recoverBy: (wayOf) => recover(keepers, wayOf),
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

async function autoKey(shares: Ask): Promise<Uint8Array> {
  const answer = await shares('POST', '/shares/v1/auto', {})
  if (!isRecord(answer) || typeof answer.key !== 'string') throw new Error('a key that is none')
  return readBytes(answer.key)
}
