import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createRefusal, mountTestEndpoints, type TestEndpoints } from '../../custody/testing/mountTestEndpoints.ts'
import { createTestAccess, createTestProofs, testProof } from '../testing/createTestAccess.ts'
import { enrolmentEndpoints } from './enrolmentEndpoints.ts'
import { recoveryMethodEndpoints } from './recoveryMethodEndpoints.ts'
import type { StoredWallet } from './recoveryStore.ts'

const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const [walletId, setId, proofKey] = [randomBytes(16), randomBytes(16), randomBytes(32)]
const [share, vault] = [randomBytes(94), randomBytes(64)]
const wrap = { id: 'password', method: 'password', wrapped: randomBytes(60), facts: '{"form":1}' } as const
const wrapJson = { ...wrap, wrapped: encode(wrap.wrapped) }
const stored: StoredWallet = { walletId, setId, epoch: 3, share, vault, wraps: [wrap] }
const storedJson = {
  walletId: encode(walletId),
  setId: encode(setId),
  epoch: 3,
  share: encode(share),
  vault: encode(vault),
  wraps: [wrapJson],
}

let endpoints: TestEndpoints
let proofs: ReturnType<typeof createTestProofs>
let calls: unknown[][]
let found: StoredWallet | undefined
let isNextEpoch = false
let joins = false
let target: string | undefined
let removed: string | undefined

const record =
  <result>(name: string, result: result) =>
  async (...given: readonly unknown[]): Promise<result> => {
    calls.push([name, ...given])
    return result
  }
/** Records the user and the key of a device, without its checks. */
const ownerOf = ({ user, key }: { user: string; key: string }): string => `${user} ${key}`

beforeAll(async () => {
  proofs = createTestProofs()
  const access = createTestAccess()
  endpoints = await mountTestEndpoints([
    ...enrolmentEndpoints({
      access,
      storeProofs: proofs,
      store: {
        prepare: record('prepare', undefined),
        startsNextEpoch: async (...given) => (calls.push(['starts', ...given]), isNextEpoch),
        isNextEpochPrepared: async (owner, id) => isNextEpoch && ownerOf(owner) !== 'ann other' && setId.equals(id),
        joinsProvableWallet: async (_owner, id) => joins && setId.equals(id),
        commit: async (owner, ...given) => void calls.push(['commit', ownerOf(owner), ...given]),
        findEnrolment: async (owner, id) => (calls.push(['find', ownerOf(owner), id]), found),
        findWallet: async (...given) => (calls.push(['wallet', ...given]), found),
        remove: async (...given) => (calls.push(['remove', ...given]), removed),
      },
      devices: {
        findByEnrolment: async (user, id) => (user === 'ann' && setId.equals(id) ? target : undefined),
        isEstablishedDevice: async (user, key) => user === 'ann' && ['laptop', 'tablet'].includes(key),
      },
      identityApprovals: { revokeApproval: record('revoke', undefined) },
      auditLog: { record: async (event, { raw, ...facts }) => void calls.push([event, raw?.method, facts]) },
    }),
    ...recoveryMethodEndpoints({
      access,
      storeProofs: proofs,
      methods: {
        list: async (user) =>
          user === 'ann' ? [{ id: 'password', method: 'password', facts: '{}', createdAt: 7 }] : [],
        add: record('add', undefined),
      },
      automaticKeys: { getOrCreate: async (user) => (calls.push(['auto', user]), Buffer.of(1, 2, 3)) },
    }),
  ])
})
beforeEach(() => {
  ;[calls, found, isNextEpoch, joins, target, removed] = [[], stored, false, false, undefined, 'phone']
  proofs.required.length = 0
})
afterAll(() => endpoints.close())

const post = (path: string, body: object, claims?: object | null) => endpoints.post(`/shares/v1/${path}`, body, claims)
const phone = { key: 'phone' }
const setJson = { setId: encode(setId) }
const draft = { walletId: encode(walletId), setId: encode(setId), epoch: 1, share: encode(share) }
const action = (purpose: string, given: object) => [`ann laptop`, { purpose, ...given }]

test.each([
  ['sets', draft],
  ['sets/read', setJson],
  ['sets/commit', setJson],
  ['sets/find', {}],
  ['sets/remove', setJson],
  ['ways', wrapJson],
  ['ways/list', {}],
  ['auto', {}],
])('a request to %s needs an approved device [K-11]', async (path, body) => {
  expect(await post(path, body, { key: 'stranger' })).toMatchObject(createRefusal(403, 'device'))
  expect(await post(path, body, null)).toMatchObject(createRefusal(401, 'token'))
  expect(calls).toEqual([])
})

describe('a draft of an enrolment', () => {
  test('is stored with its parts, or without the optional ones', async () => {
    const complete = { ...draft, vault: encode(vault), wraps: [wrapJson], proofKey: encode(proofKey) }
    expect(await post('sets', complete, phone)).toEqual({ status: 200, body: {} })
    expect(await post('sets', draft)).toEqual({ status: 200, body: {} })
    const parts = { key: 'phone', walletId, setId, epoch: 1, share, vault, wraps: [wrap], proofKey }
    const without = { ...parts, key: 'laptop', vault: undefined, wraps: undefined, proofKey: undefined }
    const starts = ['starts', 'ann', { walletId, epoch: 1 }]
    expect(calls).toEqual([starts, ['prepare', 'ann', parts], starts, ['prepare', 'ann', without]])
  })

  test('that starts the next epoch needs an established device [C-05]', async () => {
    isNextEpoch = true
    expect(await post('sets', draft, phone)).toMatchObject(createRefusal(403, 'deviceAge'))
    expect(calls.filter(([name]) => name === 'prepare')).toEqual([])
    expect((await post('sets', draft)).status).toBe(200)
  })

  test.each([
    ['walletId', { walletId: 'AAAA' }],
    ['setId', { setId: 'AAAA' }],
    ['share', { share: 'AAAAA' }],
    ['share', { share: 'A'.repeat(684) }],
    ['vault', { vault: 'AAAAA' }],
    ['vault', { vault: 'A'.repeat(5_463) }],
    ['proofKey', { proofKey: 'AAAA' }],
    ['epoch', { epoch: 0 }],
    ['epoch', { epoch: 2 ** 32 }],
    ['wraps', { wraps: Array.from({ length: 17 }, () => wrapJson) }],
    ['wraps', { wraps: [{ ...wrapJson, wrapped: 'AAAAA' }] }],
    ['wraps', { wraps: [{ ...wrapJson, method: 'other' }] }],
    ['wraps', { wraps: [{ ...wrapJson, id: 'a b' }] }],
    ['wraps', { wraps: [{ ...wrapJson, facts: 'a'.repeat(1_025) }] }],
  ])('with a wrong %s is refused', async (field, part) => {
    expect(await post('sets', { ...draft, ...part })).toMatchObject({
      status: 400,
      body: { reasons: [{ field: expect.stringContaining(field) }] },
    })
    expect(calls.filter(([name]) => name === 'prepare')).toEqual([])
  })
})

describe('a commit', () => {
  const commit = (proof?: object, claims?: object) =>
    post('sets/commit', { ...setJson, ...(proof && { proof }) }, claims)

  test('of a first enrolment needs no proof, and a right one is noted [C-08]', async () => {
    expect(await commit(undefined, phone)).toEqual({ status: 200, body: {} })
    expect((await commit({ ...testProof, challenge: 'B'.repeat(42) + 'A' }, phone)).status).toBe(200)
    expect((await commit(testProof)).status).toBe(200)
    expect(calls).toEqual([
      ['commit', 'ann phone', setId, { isProven: false }],
      ['commit', 'ann phone', setId, { isProven: false }],
      ['commit', 'ann laptop', setId, { isProven: true }],
    ])
    expect(proofs.required).toEqual([])
  })

  test('to a wallet with a known key needs a proof, also from a new device [C-08]', async () => {
    joins = true
    expect(await commit(undefined, phone)).toMatchObject(createRefusal(401, 'wallet'))
    expect(calls).toEqual([])
    expect((await commit(testProof, phone)).status).toBe(200)
    expect(calls).toEqual([['commit', 'ann phone', setId, { isProven: true }]])
    expect(proofs.required).toHaveLength(2)
    expect(proofs.required[1]).toEqual(['ann phone', { purpose: 'epoch', setId }])
  })

  test('of the next epoch needs an established device, and a proof [C-05] [C-08]', async () => {
    isNextEpoch = true
    expect(await commit(testProof, phone)).toMatchObject(createRefusal(403, 'deviceAge'))
    expect(await commit()).toMatchObject(createRefusal(401, 'wallet'))
    expect(calls).toEqual([])
    expect((await commit(testProof)).status).toBe(200)
    expect(proofs.required.at(-1)).toEqual(action('epoch', { setId }))
    expect(await post('sets/commit', { setId: 'AAAA' })).toMatchObject(createRefusal(400, 'setId'))
  })
})

describe('an enrolment', () => {
  test('is read by its id', async () => {
    expect(await post('sets/read', setJson, phone)).toEqual({ status: 200, body: storedJson })
    expect(calls).toEqual([['find', 'ann phone', setId]])
    found = undefined
    expect(await post('sets/read', setJson)).toMatchObject(createRefusal(404, 'setId'))
    expect(await post('sets/read', { setId: 'AAAA' })).toMatchObject(createRefusal(400, 'setId'))
  })

  test('is found for a new device, except for given ones', async () => {
    expect(await post('sets/find', {}, phone)).toEqual({ status: 200, body: storedJson })
    expect((await post('sets/find', { except: [encode(setId)] })).status).toBe(200)
    expect(calls).toEqual([
      ['wallet', 'ann', []],
      ['wallet', 'ann', [setId]],
    ])
    expect(await post('sets/find', { except: ['AAAA'] })).toMatchObject(createRefusal(400, 'except'))
    expect((await post('sets/find', { except: Array.from({ length: 33 }, () => encode(setId)) })).status).toBe(400)
    found = undefined
    expect(await post('sets/find', {})).toMatchObject(createRefusal(404, 'user'))
  })
})

describe('the removal of an enrolment', () => {
  const remove = (proof?: object, claims?: object) =>
    post('sets/remove', { ...setJson, ...(proof && { proof }) }, claims)
  const removal = (key: string) => [
    ['remove', 'ann', setId],
    ['revoke', 'ann', 'phone'],
    ['device revoked', 'POST', { user: 'ann', key, about: 'phone' }],
  ]

  test('of a new device or of its own needs no proof, and is recorded', async () => {
    target = 'phone'
    expect(await remove()).toEqual({ status: 200, body: {} })
    expect(calls).toEqual(removal('laptop'))
    ;[calls, target] = [[], 'laptop']
    expect((await remove()).status).toBe(200)
    expect([calls, proofs.required]).toEqual([removal('laptop'), []])
  })

  test('of another established device needs an established device, and a proof [C-05] [C-08]', async () => {
    target = 'tablet'
    expect(await remove(testProof, phone)).toMatchObject(createRefusal(403, 'deviceAge'))
    expect(await remove()).toMatchObject(createRefusal(401, 'wallet'))
    expect(calls).toEqual([])
    expect((await remove(testProof)).status).toBe(200)
    expect(proofs.required.at(-1)).toEqual(action('remove', { setId }))
  })

  test('of an unknown one does nothing else', async () => {
    removed = undefined
    expect(await remove(undefined, phone)).toEqual({ status: 200, body: {} })
    expect(calls).toEqual([['remove', 'ann', setId]])
    expect(await post('sets/remove', { setId: 'AAAA' })).toMatchObject(createRefusal(400, 'setId'))
  })
})

describe('recovery methods', () => {
  test('are listed for their user', async () => {
    const ways = [{ id: 'password', method: 'password', facts: '{}', createdAt: 7 }]
    expect(await post('ways/list', {}, phone)).toEqual({ status: 200, body: { ways } })
    expect(await post('ways/list', {}, { user: 'ben' })).toEqual({ status: 200, body: { ways: [] } })
  })

  test('are added by an established device, with a proof for this method [C-08] [D-02]', async () => {
    expect(await post('ways', { ...wrapJson, proof: testProof }, phone)).toMatchObject(createRefusal(403, 'deviceAge'))
    expect(await post('ways', wrapJson)).toMatchObject(createRefusal(401, 'wallet'))
    expect(calls).toEqual([])
    expect(await post('ways', { ...wrapJson, proof: testProof })).toEqual({ status: 200, body: {} })
    expect(calls).toEqual([['add', 'ann', wrap]])
    expect(proofs.required.at(-1)).toEqual(action('method', { method: wrap }))
    expect(await post('ways', { ...wrapJson, wrapped: 'A'.repeat(343) })).toMatchObject(createRefusal(400, 'wrapped'))
  })

  test('that open without the user have a key per user', async () => {
    expect(await post('auto', {}, phone)).toEqual({ status: 200, body: { key: 'AQID' } })
    expect(calls).toEqual([['auto', 'ann']])
  })
})
