import { sha256 } from '@noble/hashes/sha2.js'
import { describe, expect, test } from 'vitest'
import { openRecoveryFile } from '../../custody/recoveryFile.ts'
import type { StretchPassword } from '../../custody/passwordKey.ts'
import { signWalletProof } from '../../custody/signWalletProof.ts'
import { signStoreProof } from '../../custody/signStoreProof.ts'
import { toRecoveryPhrase } from '../../custody/walletKeys.ts'
import type { AccountService, EnrolledDevice } from '../../services/accountService.ts'
import type { AdmittedDevice, AuthShares, ShareStore } from '../../services/shareStore.ts'
import { createMemoryStores } from '../../testing/memoryStores.ts'
import { trackCopiesOf } from '../../testing/trackCopies.ts'
import { createWallet, type OpenWallet } from '../../wallet/enrol.ts'
import { createAccountActions } from './accountActions.ts'

const methodKey = new Uint8Array(32).fill(7)
const challenge = new Uint8Array(32).fill(4)
const text = new Uint8Array(40).fill(6)
/** A script that leaves no copy of its input. */
const stretch: StretchPassword = async (input, salt) => {
  const mixed = Uint8Array.from([...input, ...salt])
  const key = sha256(mixed)
  mixed.fill(0)
  return key
}

type Setup = {
  readonly isFramed?: boolean
  readonly known?: readonly EnrolledDevice[]
  readonly admitted?: readonly AdmittedDevice[]
  /** The entropy that the holder returns, if it is not that of the wallet. */
  readonly other?: Uint8Array
  /** The enrolment of the share that the auth service returns, if it is another one. */
  readonly setId?: Uint8Array
}

/** The part of the share store that account actions call. */
function recordShareStore(
  admitted: readonly AdmittedDevice[] | undefined,
  log: string[],
  proofs: unknown[],
): Partial<ShareStore> {
  return {
    async devices() {
      if (admitted === undefined) throw new Error('unreachable')
      return admitted
    },
    async removeDevice(key, sign) {
      log.push(`remove device ${key}`)
      proofs.push(await sign(text))
    },
    async remove(setId, sign) {
      log.push(`remove ${String(setId)}`)
      proofs.push(await sign?.(text))
    },
    approveWaitingDevice: async (id, match) => void log.push(`approve ${id} ${match}`),
    stopWaitingDevice: async (id) => void log.push(`stop ${id}`),
    async requestDeletion(sign) {
      log.push('delete at shares')
      proofs.push(await sign(text))
      return { at: 6 }
    },
    cancelDeletion: async () => void log.push('cancel at shares'),
  }
}

/** The actions of a logged-in user with services in memory, which record the calls and ask for every proof. */
async function openActions({ isFramed = false, known = [], admitted, other, setId: foreign }: Setup = {}) {
  const memory = createMemoryStores()
  const wallet = await createWallet(memory, [{ id: 'auto', method: 'auto', key: methodKey, facts: '{}' }], 1)
  const log: string[] = []
  const proofs: unknown[] = []
  const given: Uint8Array[] = []
  const account: Partial<AccountService> = {
    devices: async () => known,
    endSessions: async (key) => void log.push(`end ${key}`),
    endOtherSessions: async () => void log.push('end others'),
    noteExport: async () => {
      log.push('note')
      return { at: 1 }
    },
    async requestDeletion(prove) {
      log.push('delete at auth')
      proofs.push(await prove?.(challenge))
      return { at: 5 }
    },
    cancelDeletion: async () => void log.push('cancel at auth'),
  }
  const auth: Partial<AuthShares> = {
    async own() {
      const remote = await memory.auth.own()
      return remote && { ...remote, ...(foreign && { setId: foreign }) }
    },
    async revoke(setId, prove) {
      log.push(`revoke ${String(setId)}`)
      proofs.push(await prove?.(challenge))
    },
  }
  const shares = recordShareStore(admitted, log, proofs)
  const opened: OpenWallet[] = []
  const actions = createAccountActions({
    // The actions call nothing else.
    account: account as AccountService,
    isFramed,
    stores: async () => ({ ...memory, auth: { ...memory.auth, ...auth }, shares: { ...memory.shares, ...shares } }),
    getMethodKey: (entered) => async () => {
      log.push(`method key of ${entered.length}`)
      return methodKey.slice()
    },
    opened: (next) => void opened.push(next),
    sign: async (bytes) => signStoreProof(wallet.entropy, bytes),
    stretch,
    now: () => 1,
    async entropy() {
      const copy = (other ?? wallet.entropy).slice()
      given.push(copy)
      return copy
    },
  })
  const proof = await signWalletProof(wallet.entropy, challenge)
  return { ...actions, memory, wallet, log, proofs, proof, opened, given, sealed: signStoreProof(wallet.entropy, text) }
}

const wiped = new Uint8Array(16)

describe('the removal of a device', () => {
  test('revokes its share with a proof of the wallet before the share store forgets it', async () => {
    const actions = await openActions()
    await actions.revokeDevice('AQID', { key: 'thumb', stolen: false })
    expect(actions.log).toEqual(['revoke 1,2,3', 'remove device thumb'])
    expect(actions.proofs).toEqual([actions.proof, actions.sealed])
    expect(actions.given).toEqual([wiped])
    expect(actions.opened).toEqual([])
  })

  test('without a key removes its share at both services', async () => {
    const actions = await openActions()
    await actions.revokeDevice('AQID', { key: undefined, stolen: false })
    expect(actions.log).toEqual(['revoke 1,2,3', 'remove 1,2,3'])
    expect(actions.proofs).toEqual([actions.proof, actions.sealed])
  })

  test('without a share ends its sessions', async () => {
    const actions = await openActions()
    await actions.revokeDevice(undefined, { key: 'thumb', stolen: false })
    expect(actions.log).toEqual(['end thumb', 'remove device thumb'])
    await actions.revokeDevice(undefined, { key: undefined, stolen: false })
    expect(actions.log).toHaveLength(2)
  })

  test('that was stolen begins an epoch, whose wallet stays open', async () => {
    const actions = await openActions()
    const credentials = [{ method: 'password', password: 'four calm herons' }] as const
    await actions.revokeDevice('AQID', { key: 'thumb', stolen: true, credentials })
    expect(actions.log).toEqual(['revoke 1,2,3', 'remove device thumb', 'method key of 1'])
    expect(actions.opened).toEqual([actions.wallet])
    expect(await actions.memory.shares.find()).toMatchObject({ epoch: 2 })
    await actions.revokeDevice('AQID', { key: 'thumb', stolen: true })
    expect(actions.log.at(-1)).toBe('method key of 0')
  })
})

describe('the list of devices', () => {
  const device = (key: string, setId?: string, origin?: string): EnrolledDevice => ({
    setId,
    key,
    browser: 'Chrome',
    origin,
    createdAt: 1,
    current: false,
  })

  test('shows devices that one service hides', async () => {
    const admitted = ['both', 'login', 'hidden'].map((key) => ({ key, since: 7, current: key === 'hidden' }))
    const known = [device('both', 'a', 'https://a'), device('login'), device('none'), device('auth only', 'b')]
    const { devices } = await openActions({ known, admitted })
    const common = { browser: 'Chrome', createdAt: 1, current: false }
    expect(await devices()).toEqual([
      { ...common, key: 'both', setId: 'a', origin: 'https://a' },
      { ...common, key: 'login', setId: undefined, origin: '', onlyAt: 'shares' },
      { ...common, key: 'none', setId: undefined, origin: '', hasOnlyLogin: true },
      { ...common, key: 'auth only', setId: 'b', origin: '', onlyAt: 'auth' },
      { setId: undefined, key: 'hidden', browser: '', origin: '', createdAt: 7, current: true, onlyAt: 'shares' },
    ])
  })

  test('of the auth service is shown without the share store', async () => {
    const { devices } = await openActions({ known: [device('one', 'a'), device('login')] })
    const common = { browser: 'Chrome', createdAt: 1, current: false, origin: '' }
    expect(await devices()).toEqual([
      { ...common, key: 'one', setId: 'a' },
      { ...common, key: 'login', setId: undefined, hasOnlyLogin: true },
    ])
  })
})

test('decisions about waiting devices, other sessions and a deletion go to their services', async () => {
  const actions = await openActions()
  await actions.signOutOthers()
  await actions.approveWaitingDevice('phone', '42')
  await actions.stopWaitingDevice('phone')
  expect(await actions.requestDeletion()).toEqual({ at: 5 })
  await actions.cancelDeletion()
  expect(actions.log).toEqual([
    'end others',
    'approve phone 42',
    'stop phone',
    'delete at auth',
    'delete at shares',
    'cancel at auth',
    'cancel at shares',
  ])
  expect(actions.proofs).toEqual([actions.proof, actions.sealed])
  expect(actions.given).toEqual([wiped])
})

describe('secrets', () => {
  const password = 'four calm herons'

  test('are never shown in a frame, and the export is not even noted', async () => {
    const { reveal, recoveryFile, log, given } = await openActions({ isFramed: true })
    await expect(reveal()).rejects.toMatchObject({ status: 403, field: 'page' })
    await expect(recoveryFile(password)).rejects.toMatchObject({ status: 403, field: 'page' })
    expect([log, given]).toEqual([[], []])
  })

  test('are shown on a top-level page after the export was noted', async () => {
    const { reveal, log, given, wallet } = await openActions()
    expect(await reveal()).toMatchObject({ phrase: toRecoveryPhrase(wallet.entropy) })
    expect([log, given]).toEqual([['note'], [wiped]])
  })

  test('are in a recovery file that opens the wallet, and no copy of shares or entropy stays', async () => {
    const { recoveryFile, log, memory, wallet } = await openActions()
    const shares = [await memory.device.read(), await memory.auth.own()]
    const values = shares.map((each) => Buffer.from(each?.share ?? []).subarray(-33))
    const files: string[] = []
    const copies = await trackCopiesOf(async () => files.push(await recoveryFile(password)))
    expect([wallet.entropy, ...values].map(copies)).toEqual([0, 0, 0])
    expect(log).toEqual(['note'])
    expect(await openRecoveryFile(files[0] ?? '', { password, stretch })).toEqual(wallet.entropy)
  })

  test('of another wallet are not written to a file, and no copy stays', async () => {
    const { recoveryFile, wallet } = await openActions({ other: new Uint8Array(16) })
    const copies = await trackCopiesOf(() =>
      expect(recoveryFile(password)).rejects.toMatchObject({ code: 'custody/mismatch' }),
    )
    expect(copies(wallet.entropy)).toBe(0)
  })

  test('are not written to a file on a device without a share of the enrolment', async () => {
    const invalid = { code: 'custody/invalid-share' }
    const without = await openActions()
    await without.memory.device.clear()
    await expect(without.recoveryFile(password)).rejects.toMatchObject(invalid)
    const foreign = await openActions({ setId: new Uint8Array(16) })
    await expect(foreign.recoveryFile(password)).rejects.toMatchObject(invalid)
  })
})
