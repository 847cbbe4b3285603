import { randomBytes } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { createKeyEncryption } from '../../kit/secrets/keyEncryption.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { createSecrets } from '../../kit/secrets/secrets.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createAutomaticKeys, type AutomaticKeys } from './automaticKeys.ts'
import { createDevices, type Devices } from '../approval/devices.ts'
import { shareMigrations } from '../../schema/shareMigrations.ts'
import { createRecoveryStore, type EnrolmentDraft, type RecoveryStore } from './recoveryStore.ts'

let place: TestPostgres
let database: Database
let store: RecoveryStore
let devices: Devices
let automaticKeys: AutomaticKeys
let now = 0
const hour = 3_600_000
const day = 24 * hour
const encryption = createKeyEncryption([{ id: 'one', key: randomBytes(32) }])

beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, shareMigrations, 'shares')
  const kept = {
    database: database.kysely,
    clock: { now: () => now },
    secrets: createSecrets({ database: database.kysely, table: 'share_data_key', keyEncryption: encryption }),
  }
  devices = createDevices(kept)
  automaticKeys = createAutomaticKeys(kept)
  store = createRecoveryStore({ ...kept, devices, automaticKeys })
})

beforeEach(async () => {
  now = Date.UTC(2026, 10, 22)
  await sql`truncate share_wallet, share_set, share_wrap, share_device, share_auto, share_data_key`.execute(
    database.kysely,
  )
})

afterAll(async () => {
  await database.close()
  await place.close()
})

const wrap = { id: 'auto', method: 'auto', wrapped: randomBytes(60), facts: '{}' } as const
const getFacts = ({ walletId, setId, epoch, share, vault, wraps }: EnrolmentDraft & { vault: Buffer }) => ({
  walletId,
  setId,
  epoch,
  share,
  vault,
  wraps,
})
const createFirstDevice = (): EnrolmentDraft & { vault: Buffer } => ({
  key: 'laptop',
  walletId: randomBytes(16),
  setId: randomBytes(16),
  epoch: 1,
  share: randomBytes(94),
  vault: randomBytes(64),
  wraps: [wrap],
})
const createNextDevice = ({ walletId, epoch }: EnrolmentDraft): EnrolmentDraft => ({
  key: 'phone',
  walletId,
  epoch,
  setId: randomBytes(16),
  share: randomBytes(94),
})
const ownerOf = (user: string, { key }: EnrolmentDraft) => ({ user, key })
const enrolFirstDevice = async (user: string): Promise<EnrolmentDraft & { vault: Buffer }> => {
  const draft = createFirstDevice()
  await store.prepare(user, draft)
  await store.commit(ownerOf(user, draft), draft.setId)
  return draft
}
const matchConflict = (field: string) => expect.objectContaining({ status: 409, field })

describe('an enrolment', () => {
  test('is returned unchanged as a draft', async () => {
    const draft = createFirstDevice()
    await store.prepare('ann', draft)
    expect(await store.findEnrolment(ownerOf('ann', draft), draft.setId)).toEqual(getFacts(draft))
    expect(await store.findWallet('ann')).toBeUndefined()
  })

  test('is live after the commit, and both steps are idempotent', async () => {
    const draft = createFirstDevice()
    for (let time = 0; time < 2; time++) {
      await store.prepare('ann', draft)
      await store.commit(ownerOf('ann', draft), draft.setId)
    }
    expect(await store.findWallet('ann')).toEqual(getFacts(draft))
  })

  test('with other contents under the same id is rejected', async () => {
    const draft = createFirstDevice()
    await store.prepare('ann', draft)
    await expect(store.prepare('ann', { ...draft, share: randomBytes(94) })).rejects.toEqual(matchConflict('setId'))
    await expect(store.prepare('ann', { ...draft, key: 'phone' })).rejects.toEqual(matchConflict('setId'))
    const ofWallet = store.prepare('ben', { ...draft, setId: draft.walletId })
    await expect(ofWallet).rejects.toEqual(expect.objectContaining({ status: 400, field: 'setId' }))
  })

  test('replaces the earlier one of its device, and is returned to the other devices of its user', async () => {
    const first = await enrolFirstDevice('ann')
    const again = { ...createNextDevice(first), key: first.key }
    await store.prepare('ann', again)
    await store.commit(ownerOf('ann', again), again.setId)
    expect(await store.findEnrolment(ownerOf('ann', first), first.setId)).toBeUndefined()
    expect(await store.findEnrolment({ user: 'ann', key: 'phone' }, again.setId)).toMatchObject({ share: again.share })
    expect(await store.findWallet('ann', [again.setId])).toBeUndefined()
    expect([await store.findWalletId('ann'), await store.findWalletId('ben')]).toEqual([first.walletId, undefined])
  })

  test('counts as proven from its first proof, which may follow its commit [C-08]', async () => {
    const first = await enrolFirstDevice('ann')
    const next = createNextDevice(first)
    await store.prepare('ann', next)
    const readProof = async () => {
      const { rows } = await sql<{ at: number | null }>`
        select proven_at as at from share_set where set_id = ${Buffer.from(next.setId)}`.execute(database.kysely)
      return rows[0]?.at
    }
    for (const isProven of [false, false]) await store.commit(ownerOf('ann', next), next.setId, { isProven })
    expect(await readProof()).toBeNull()
    const proof = now + hour
    for (now of [proof, proof + hour]) await store.commit(ownerOf('ann', next), next.setId, { isProven: true })
    expect(await readProof()).toBe(proof)
  })

  test('makes the founder of the wallet established at once, and no other device [C-08]', async () => {
    const first = await enrolFirstDevice('ann')
    const second = createNextDevice(first)
    await store.prepare('ann', second)
    await store.commit(ownerOf('ann', second), second.setId)
    const tablet = { ...createNextDevice(first), key: 'tablet', epoch: 2, vault: randomBytes(64), wraps: [wrap] }
    await store.prepare('ann', tablet)
    await store.commit(ownerOf('ann', tablet), tablet.setId)
    const keys = [first, second, tablet].map(({ key }) => devices.isEstablishedDevice('ann', key))
    expect(await Promise.all(keys)).toEqual([true, false, false])
  })

  test('of another user is neither returned, committed nor removed', async () => {
    const draft = await enrolFirstDevice('ann')
    expect(await store.findEnrolment(ownerOf('ben', draft), draft.setId)).toBeUndefined()
    await expect(store.commit(ownerOf('ben', draft), draft.setId)).rejects.toEqual(
      expect.objectContaining({ status: 404 }),
    )
    await store.remove('ben', draft.setId)
    expect(await store.findWallet('ann')).toEqual(getFacts(draft))
  })

  test('of a second device keeps the vault and the recovery methods of the first', async () => {
    const first = await enrolFirstDevice('ann')
    const second = createNextDevice(first)
    await store.prepare('ann', second)
    await store.commit(ownerOf('ann', second), second.setId)
    expect(await store.findEnrolment(ownerOf('ann', second), second.setId)).toEqual(
      getFacts({ ...second, vault: first.vault, wraps: [wrap] }),
    )
    for (const [except, other] of [
      [first, second],
      [second, first],
    ] as const) {
      expect(await store.findWallet('ann', [except.setId])).toMatchObject({ setId: other.setId })
    }
    await store.remove('ann', first.setId)
    expect(await store.findWallet('ann')).toMatchObject({ setId: second.setId, vault: first.vault })
  })

  test('makes its device known to its user only, once it is live', async () => {
    const draft = createFirstDevice()
    await store.prepare('ann', draft)
    expect(await devices.recordUse('ann', 'laptop')).toBe(false)
    await store.commit(ownerOf('ann', draft), draft.setId)
    expect(await devices.recordUse('ann', 'laptop')).toBe(true)
    expect([await devices.recordUse('ben', 'laptop'), await devices.recordUse('ann', 'phone')]).toEqual([false, false])
  })

  test('of another wallet, of another epoch, or without a wallet is rejected', async () => {
    const first = await enrolFirstDevice('ann')
    await expect(store.prepare('ann', createFirstDevice())).rejects.toEqual(matchConflict('walletId'))
    await expect(store.prepare('ann', { ...createNextDevice(first), epoch: 2 })).rejects.toEqual(
      matchConflict('walletId'),
    )
    const far = { ...createFirstDevice(), walletId: first.walletId, epoch: 3 }
    await expect(store.prepare('ann', far)).rejects.toEqual(matchConflict('walletId'))
    await expect(store.prepare('ben', createNextDevice(first))).rejects.toEqual(matchConflict('walletId'))
  })

  test('creates one wallet of twenty concurrent first ones and rejects the others [K-14]', async () => {
    const drafts = Array.from({ length: 20 }, createFirstDevice)
    for (const draft of drafts) await store.prepare('ann', draft)
    const outcomes = await Promise.allSettled(drafts.map((draft) => store.commit(ownerOf('ann', draft), draft.setId)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(lost).toEqual(lost.map(() => matchConflict('walletId')))
    const { rows } = await sql<{ count: number }>`select count(*) as count from share_wallet`.execute(database.kysely)
    expect(rows).toEqual([{ count: 1 }])
  })

  test('is one of at most twenty-five live ones, and begins the next epoch even then [C-08]', async () => {
    const first = await enrolFirstDevice('ann')
    const last = { ...createNextDevice(first), key: 'phone 24' }
    for (let count = 1; count < 25; count++) {
      const next = { ...createNextDevice(first), key: `phone ${count}` }
      await store.prepare('ann', next)
      await store.commit(ownerOf('ann', next), next.setId)
    }
    await expect(store.prepare('ann', createNextDevice(first))).rejects.toMatchObject({ status: 429 })
    // A device with an enrolment replaces it.
    await store.prepare('ann', last)
    await store.prepare('ann', { ...createNextDevice(first), key: 'tablet', epoch: 2, vault: randomBytes(64) })
  })

  test('is not kept out by the drafts of a thief, who keeps twenty-five of them [C-08]', async () => {
    const first = await enrolFirstDevice('ann')
    for (let count = 0; count < 30; count++) {
      now += 1
      await store.prepare('ann', { ...createNextDevice(first), key: 'thief' })
    }
    const { rows } = await sql`
      select from share_set where user_id = 'ann' and live_at is null`.execute(database.kysely)
    expect(rows).toHaveLength(25)
    const next = createNextDevice(first)
    await store.prepare('ann', next)
    await store.commit(ownerOf('ann', next), next.setId)
    const epoch = { ...createNextDevice(first), epoch: 2, vault: randomBytes(64), wraps: [wrap] }
    await store.prepare('ann', epoch)
    await store.commit(ownerOf('ann', epoch), epoch.setId)
    expect(await store.findWallet('ann')).toMatchObject({ epoch: 2 })
  })

  test('that is older than the last twenty-five drafts of its device leaves no recovery method behind', async () => {
    for (let count = 0; count < 30; count++) {
      now += 1
      await store.prepare('ann', createFirstDevice())
    }
    const { rows } = await sql`select from share_wrap where user_id = 'ann'`.execute(database.kysely)
    expect(rows).toHaveLength(25)
  })
})

describe('recovery methods in an enrolment', () => {
  const junk = { ...wrap, wrapped: randomBytes(60) }
  const refused = expect.objectContaining({ status: 400, field: 'wraps' })

  test.each([
    ['of a second device', {}],
    ['of a second device with a vault', { vault: randomBytes(64) }],
    ['under a new id', { wraps: [{ ...junk, id: 'other', method: 'password' } as const] }],
  ])('%s are refused and leave the owner’s as they were [D-02]', async (_, given) => {
    const first = await enrolFirstDevice('ann')
    await expect(store.prepare('ann', { ...createNextDevice(first), wraps: [junk], ...given })).rejects.toEqual(refused)
    expect(await store.findWallet('ann')).toEqual(getFacts(first))
  })

  test('that were drafted before another enrolment began the wallet stay out of it [D-02]', async () => {
    const [first, draft] = [createFirstDevice(), createFirstDevice()]
    const rival = { ...draft, key: 'phone', walletId: first.walletId, wraps: [junk] }
    await store.prepare('ann', rival)
    await store.prepare('ann', first)
    await store.commit(ownerOf('ann', first), first.setId)
    await expect(store.commit(ownerOf('ann', rival), rival.setId)).rejects.toEqual(matchConflict('walletId'))
    expect(await store.findWallet('ann')).toEqual(getFacts(first))
  })

  test('are not completed by another device of the user [D-02]', async () => {
    const first = await enrolFirstDevice('ann')
    const next = { ...createFirstDevice(), walletId: first.walletId, epoch: 2 }
    await store.prepare('ann', next)
    const phone = { user: 'ann', key: 'phone' }
    expect(await store.findEnrolment(phone, next.setId)).toBeUndefined()
    await expect(store.commit(phone, next.setId)).rejects.toEqual(expect.objectContaining({ status: 404 }))
    expect(await store.findWallet('ann')).toEqual(getFacts(first))
  })

  test('begin an epoch only in an enrolment of the same wallet with a later epoch, by its own device [C-05]', async () => {
    const first = await enrolFirstDevice('ann')
    const { walletId } = first
    const starts = [
      ['ann', { walletId, epoch: 1 }],
      ['ann', { walletId, epoch: 2 }],
      ['ann', { walletId: randomBytes(16), epoch: 2 }],
      ['ben', { walletId, epoch: 2 }],
    ] as const
    const outcomes = await Promise.all(starts.map(([user, draft]) => store.startsNextEpoch(user, draft)))
    expect(outcomes).toEqual([false, true, false, false])
    const [next, second] = [{ ...createFirstDevice(), walletId, epoch: 2 }, createNextDevice(first)]
    for (const draft of [next, second]) await store.prepare('ann', draft)
    const prepared = [
      [ownerOf('ann', next), next.setId],
      [ownerOf('ann', second), next.setId],
      [ownerOf('ben', next), next.setId],
      [ownerOf('ann', second), second.setId],
      [ownerOf('ann', next), randomBytes(16)],
    ] as const
    expect(await Promise.all(prepared.map(([owner, setId]) => store.isNextEpochPrepared(owner, setId)))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ])
  })

  test('begin with the next epoch and replace those of the previous one [K-08]', async () => {
    const first = await enrolFirstDevice('ann')
    const next = { ...createFirstDevice(), walletId: first.walletId, epoch: 2, wraps: [junk] }
    await store.prepare('ann', next)
    await store.commit(ownerOf('ann', next), next.setId)
    expect(await store.findWallet('ann')).toEqual(getFacts(next))
    const { rows } = await sql`select from share_set`.execute(database.kysely)
    expect(rows).toHaveLength(1)
  })

  test('of the previous epoch don’t open a backup: its data key is destroyed [K-08] [K-13]', async () => {
    const first = await enrolFirstDevice('ann')
    const second = createNextDevice(first)
    await store.prepare('ann', second)
    await store.commit(ownerOf('ann', second), second.setId)
    const listScopes = async () => {
      const { rows } = await sql<{ scope: string }>`
        select scope from share_data_key where owner = 'ann' and scope <> ''`.execute(database.kysely)
      return rows.map(({ scope }) => scope)
    }
    const before = await listScopes()
    expect(before).toHaveLength(1)
    const next = { ...createFirstDevice(), walletId: first.walletId, epoch: 2 }
    await store.prepare('ann', next)
    expect(await listScopes()).toHaveLength(2)
    await store.commit(ownerOf('ann', next), next.setId)
    expect(await listScopes()).toHaveLength(1)
    expect(await listScopes()).not.toEqual(before)
  })

  test('keep the key of automatic recovery until an epoch begins without that method [K-08]', async () => {
    const first = await enrolFirstDevice('ann')
    const key = await automaticKeys.getOrCreate('ann')
    expect(key).toHaveLength(32)
    expect(await automaticKeys.getOrCreate('ben')).not.toEqual(key)
    const begin = async (epoch: number, wraps: EnrolmentDraft['wraps']) => {
      const next = { ...createFirstDevice(), walletId: first.walletId, epoch, ...(wraps && { wraps }) }
      await store.prepare('ann', next)
      await store.commit(ownerOf('ann', next), next.setId)
    }
    await begin(2, [wrap])
    expect(await automaticKeys.getOrCreate('ann')).toEqual(key)
    await begin(3, [{ ...wrap, id: 'password', method: 'password' }])
    expect(await automaticKeys.getOrCreate('ann')).not.toEqual(key)
  })
})

describe('the recovery store', () => {
  test('deletes drafts after a day, and nothing else [K-12]', async () => {
    const draft = createFirstDevice()
    await store.prepare('ann', draft)
    const kept = await enrolFirstDevice('ben')
    now += day - 1
    await store.sweep()
    expect(await store.findEnrolment(ownerOf('ann', draft), draft.setId)).toBeDefined()
    now += 1
    await store.sweep()
    expect(await store.findEnrolment(ownerOf('ann', draft), draft.setId)).toBeUndefined()
    expect(await store.findWallet('ben')).toEqual(getFacts(kept))
    const { rows } = await sql<{ count: number }>`select count(*) as count from share_wrap`.execute(database.kysely)
    expect(rows).toEqual([{ count: 1 }])
  })

  test('deletes a device that was unused for ninety days, except the latest that opened the wallet', async () => {
    const first = await enrolFirstDevice('ann')
    now += 90 * day - 1
    const second = createNextDevice(first)
    await store.prepare('ann', second)
    await store.commit(ownerOf('ann', second), second.setId, { isProven: true })
    await devices.revoke('ann', first.key)
    await store.sweep()
    expect(await store.findEnrolment(ownerOf('ann', first), first.setId)).toBeDefined()
    now += 1
    await store.sweep()
    expect(await store.findEnrolment(ownerOf('ann', first), first.setId)).toBeUndefined()
    now += 90 * day + hour
    await devices.sweep()
    await store.sweep()
    expect(await store.findWallet('ann')).toMatchObject({ setId: second.setId })
  })

  test('keeps the enrolment of the owner beside junk at any age, and deletes the junk [C-08]', async () => {
    const first = await enrolFirstDevice('ann')
    now += day
    const junk = { ...createNextDevice(first), key: 'thief' }
    await store.prepare('ann', junk)
    await store.commit(ownerOf('ann', junk), junk.setId)
    expect(await store.findWallet('ann')).toMatchObject({ setId: first.setId })
    now += 91 * day
    await devices.sweep()
    await store.sweep()
    expect(await store.findWallet('ann')).toEqual(getFacts(first))
    expect(await store.findEnrolment(ownerOf('ann', junk), junk.setId)).toBeUndefined()
  })

  test('keeps all enrolments of a wallet that none has proven, and they leave room for other devices [C-08]', async () => {
    const first = await enrolFirstDevice('ann')
    for (let index = 0; index < 24; index++) {
      const next = { ...createNextDevice(first), key: `device ${index}` }
      await store.prepare('ann', next)
      await store.commit(ownerOf('ann', next), next.setId)
    }
    // As the migration leaves a wallet whose first device is gone.
    await sql`update share_set set proven_at = null`.execute(database.kysely)
    await expect(store.prepare('ann', createNextDevice(first))).rejects.toEqual(
      expect.objectContaining({ status: 429, field: 'walletId' }),
    )
    now += 91 * day
    await devices.sweep()
    await store.sweep()
    expect(await store.findEnrolment(ownerOf('ann', first), first.setId)).toEqual(getFacts(first))
    expect(await store.prepare('ann', createNextDevice(first))).toBeUndefined()
  })

  test('keeps the enrolment of a known device, so that it can be revoked [K-07]', async () => {
    const first = await enrolFirstDevice('ann')
    now += 60 * day
    expect(await devices.recordUse('ann', 'laptop')).toBe(true)
    const second = createNextDevice(first)
    await store.prepare('ann', second)
    await store.commit(ownerOf('ann', second), second.setId)
    now += 60 * day
    await devices.sweep()
    await store.sweep()
    expect(await store.remove('ann', first.setId)).toBe('laptop')
    expect(await devices.recordUse('ann', 'laptop')).toBe(false)
  })

  test('seals shares, and they do not open in another row [K-05] [K-06]', async () => {
    const [ann, ben] = [await enrolFirstDevice('ann'), await enrolFirstDevice('ben')]
    const { rows } = await sql<{ row: string }>`select share_set::text as row from share_set`.execute(database.kysely)
    expect(rows.map(({ row }) => row).join()).not.toContain(Buffer.from(ann.share).toString('hex'))
    await sql`
      update share_set set share = (select share from share_set where set_id = ${Buffer.from(ann.setId)})
      where set_id = ${Buffer.from(ben.setId)}`.execute(database.kysely)
    await expect(store.findWallet('ben')).rejects.toThrow('belongs to another row')
  })
})
