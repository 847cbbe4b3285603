import { bytesToHex } from '@noble/hashes/utils.js'
import { isLatchkeyError, isRecord } from '@latchkey/protocol'
import { isSameBytes } from '../../custody/isSameBytes.ts'
import { wipeKeyShares } from '../../custody/keyShare.ts'
import type { AccountService } from '../../services/accountService.ts'
import type { StoredEnrolment } from '../../services/shareStore.ts'
import type { KeyShareStores } from '../../wallet/enrol.ts'
import { findPair } from '../../wallet/recover.ts'
import { methodDigest, rehearse } from '../../wallet/rehearse.ts'
import type { GetMethodKey, OnUnreadable } from '../../wallet/unwrapWithAny.ts'
import type { KeyHolder, RecoveryCredential } from '../keyHolder.ts'
import type { PasswordProof } from '../passwordProof.ts'
import type { HolderStore } from '../storage/holderStore.ts'

export type Rehearsals = Pick<KeyHolder, 'recoveryStatus' | 'rehearseRecovery'>

export type RehearsalsDependencies = {
  readonly account: Pick<AccountService, 'devices'>
  readonly proof: Pick<PasswordProof, 'prove'>
  /** Keeps the times of successful rehearsals. */
  readonly store: HolderStore
  /** Key share stores of the user. @throws ServiceRefusal 401 */
  stores(): Promise<KeyShareStores>
  userId(): Promise<string>
  /** Returns the key of a method by the credential alone: a key that was used earlier on this page proves nothing. */
  getCredentialKey(credential: RecoveryCredential | undefined): GetMethodKey
  readonly onUnreadable: OnUnreadable
  /** Milliseconds since the epoch. */
  now(): number
}

/** Creates the status of the recovery, and its rehearsal. */
export function createRehearsals(dependencies: RehearsalsDependencies): Rehearsals {
  const { account, proof, store, stores, userId, getCredentialKey, onUnreadable, now } = dependencies
  const nameOf = async (): Promise<string> => `rehearsals:${await userId()}`

  return {
    async recoveryStatus() {
      const all = await stores()
      const [isDeviceEnrolled, devices, stored, name] = await Promise.all([
        canUnlock(all),
        account.devices(),
        findRecoverable(all),
        nameOf(),
      ])
      return {
        isDeviceEnrolled,
        otherDevices: devices.filter(({ current }) => !current).length,
        isRecoverable: stored !== undefined,
        testedAt: stored === undefined ? {} : testTimes(stored, await store.read(name)),
      }
    },
    async rehearseRecovery(id, credential) {
      const { entropy, digest } = await rehearse(await stores(), id, getCredentialKey(credential), onUnreadable)
      try {
        await proof.prove({ entropy })
      } finally {
        entropy.fill(0)
      }
      const at = now()
      const name = await nameOf()
      const before = await store.read(name)
      await store.write({ [name]: { ...(isRecord(before) && before), [bytesToHex(digest)]: at } })
      return { at }
    },
  }
}

/** True if this device and the auth service hold shares of one enrolment. */
async function canUnlock({ auth, device }: KeyShareStores): Promise<boolean> {
  const [local, remote] = await Promise.all([device.read(), auth.own()])
  local?.share.fill(0)
  remote?.share.fill(0)
  return local !== undefined && remote !== undefined && isSameBytes(local.setId, remote.setId)
}

/** @returns `undefined` if the services hold no shares of one enrolment */
async function findRecoverable(stores: KeyShareStores): Promise<StoredEnrolment | undefined> {
  try {
    const { stored, auth } = await findPair(stores)
    wipeKeyShares(auth)
    return stored
  } catch (error) {
    if (isLatchkeyError(error, 'custody/invalid-share')) return undefined
    throw error
  }
}

/** Returns the time of the last successful rehearsal of each method. It counts for the data that is stored now only. */
function testTimes(stored: StoredEnrolment, times: unknown): Record<string, number> {
  const testedAt: Record<string, number> = {}
  for (const wrap of stored.wraps) {
    const at = isRecord(times) ? times[bytesToHex(methodDigest(stored, wrap))] : undefined
    if (typeof at === 'number') testedAt[wrap.id] = at
  }
  return testedAt
}
