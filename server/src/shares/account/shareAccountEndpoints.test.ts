import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createRefusal, mountTestEndpoints, type TestEndpoints } from '../../custody/testing/mountTestEndpoints.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { StoredWallet } from '../recovery/recoveryStore.ts'
import { createTestAccess, createTestProofs, staleLogin, testProof } from '../testing/createTestAccess.ts'
import { shareAccountEndpoints } from './shareAccountEndpoints.ts'
import { storeProofEndpoint } from './storeProofEndpoint.ts'

const setId = randomBytes(16)
const wrap = { id: 'auto', method: 'auto', wrapped: randomBytes(60), facts: '{}' } as const
const wallet: StoredWallet = {
  walletId: randomBytes(16),
  setId,
  epoch: 2,
  share: randomBytes(94),
  vault: randomBytes(64),
  wraps: [wrap],
}
const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const [byMail, byProvider] = [Buffer.from('mailbox'), Buffer.from('identity')]

let endpoints: TestEndpoints
let proofs: ReturnType<typeof createTestProofs>
let calls: unknown[][]
let stored: StoredWallet | undefined
let mailbox: Buffer | undefined
let isLost = true

beforeAll(async () => {
  proofs = createTestProofs()
  const access = createTestAccess()
  endpoints = await mountTestEndpoints([
    storeProofEndpoint({
      access,
      storeProofs: { createChallenge: async (user, key) => (calls.push(['challenge', user, key]), Buffer.of(1, 2, 3)) },
    }),
    ...shareAccountEndpoints({
      access,
      storeProofs: proofs,
      deletions: {
        schedule: async (user) => (calls.push(['schedule', user]), 11),
        cancel: async (user) => void calls.push(['cancel', user]),
      },
      links: { findApproval: async (key) => (key === 'laptop' ? mailbox : undefined) },
      identityApprovals: {
        findApproval: async (user, key) =>
          `${user} ${key}` === 'ann laptop' ? { contact: byProvider, needsSecondProof: true } : undefined,
      },
      store: { findEnrolment: async (...given) => (calls.push(['read', ...given]), stored) },
      automaticKeys: { getOrCreate: async (user) => (calls.push(['auto', user]), Buffer.of(4, 5, 6)) },
      reassignment: {
        async find(device) {
          calls.push(['find', device])
          if (!isLost) throw new Problem(403, 'device', 'This device has no share of a wallet.')
          return { previous: 'old-ann', setId }
        },
        reassign: async (...given) => void calls.push(['reassign', ...given]),
      },
    }),
  ])
})
beforeEach(() => {
  ;[calls, stored, mailbox, isLost] = [[], wallet, byMail, true]
  proofs.required.length = 0
})
afterAll(() => endpoints.close())

const post = (path: string, body: object = {}, claims?: object | null) =>
  endpoints.post(`/shares/v1/${path}`, body, claims)
const adopting = { user: 'ann', key: 'laptop', contact: byMail }

test.each(['deletion', 'deletion/cancel', 'adopt/read', 'adopt', 'wallet/challenge'])(
  'a request to %s needs an approved device [K-11]',
  async (path) => {
    expect(await post(path, {}, null)).toMatchObject(createRefusal(401, 'token'))
    expect(await post(path, {}, { key: 'stranger' })).toMatchObject(createRefusal(403, 'device'))
    expect(calls).toEqual([])
  },
)

test('a challenge is for the user and the device', async () => {
  expect(await post('wallet/challenge')).toEqual({ status: 200, body: { challenge: 'AQID' } })
  expect(calls).toEqual([['challenge', 'ann', 'laptop']])
})

describe('a deletion', () => {
  test('needs a fresh login, an established device and a proof of the wallet [A-08] [C-08]', async () => {
    const proof = testProof
    expect(await post('deletion', { proof }, staleLogin)).toMatchObject(createRefusal(403, 'fresh'))
    expect(await post('deletion', { proof }, { key: 'phone' })).toMatchObject(createRefusal(403, 'deviceAge'))
    expect(await post('deletion', { proof }, { methods: ['step-up:export'] })).toMatchObject(
      createRefusal(403, 'fresh'),
    )
    const { publicKey: _, ...withoutKey } = testProof
    for (const given of [{}, { proof: withoutKey }, { proof: { ...proof, challenge: 'B'.repeat(42) + 'A' } }]) {
      expect(await post('deletion', given)).toMatchObject(createRefusal(401, 'wallet'))
    }
    // A proof without the key counts as none.
    expect(proofs.given.slice(-3, -1)).toEqual([undefined, undefined])
    expect(calls).toEqual([])
    expect(await post('deletion', { proof })).toEqual({ status: 200, body: { at: 11 } })
    expect(calls).toEqual([['schedule', 'ann']])
    expect(proofs.required.at(-1)).toEqual(['ann laptop', { purpose: 'delete' }])
  })

  test('is cancelled by any approved device', async () => {
    expect(await post('deletion/cancel', {}, { key: 'phone', ...staleLogin })).toEqual({ status: 200, body: {} })
    expect(calls).toEqual([['cancel', 'ann']])
  })
})

describe('a wallet whose user the auth service lost', () => {
  const json = {
    walletId: encode(wallet.walletId),
    setId: encode(setId),
    epoch: 2,
    share: encode(wallet.share),
    vault: encode(wallet.vault),
    wraps: [{ ...wrap, wrapped: encode(wrap.wrapped) }],
    previous: 'old-ann',
  }

  test('is read by its device, with the automatic key of its previous user [K-04]', async () => {
    expect(await post('adopt/read')).toEqual({ status: 200, body: { ...json, autoKey: 'BAUG' } })
    expect(calls).toEqual([
      ['find', adopting],
      ['read', { user: 'old-ann', key: 'laptop' }, setId],
      ['auto', 'old-ann'],
    ])
  })

  test('without the automatic method has no automatic key', async () => {
    const password = { ...wrap, method: 'password' } as const
    stored = { ...wallet, wraps: [password] }
    const wraps = [{ ...password, wrapped: encode(wrap.wrapped) }]
    expect(await post('adopt/read')).toEqual({ status: 200, body: { ...json, wraps } })
    stored = { ...wallet, wraps: [wrap, password] }
    expect((await post('adopt/read')).body).toHaveProperty('autoKey')
    stored = undefined
    expect(await post('adopt/read')).toMatchObject(createRefusal(404, 'user'))
  })

  test('moves with a proof that it is open, which names its previous user [C-08]', async () => {
    expect((await post('adopt', { proof: { ...testProof, challenge: '!' } })).status).toBe(400)
    expect(await post('adopt')).toMatchObject(createRefusal(401, 'wallet'))
    expect(calls).toEqual([['find', adopting]])
    expect(await post('adopt', { proof: testProof })).toEqual({ status: 200, body: { previous: 'old-ann' } })
    expect(calls.at(-1)).toEqual(['reassign', adopting, { previous: 'old-ann', setId }])
    expect(proofs.required.at(-1)).toEqual(['ann laptop', { purpose: 'adopt', previous: 'old-ann' }])
  })

  test('is found by the contact that approved the device, the mailbox before the provider [K-11]', async () => {
    mailbox = undefined
    await post('adopt/read')
    expect(calls[0]).toEqual(['find', { ...adopting, contact: byProvider }])
    await post('adopt/read', {}, { key: 'phone' })
    expect(calls.filter(([name]) => name === 'find').at(-1)).toEqual([
      'find',
      { user: 'ann', key: 'phone', contact: undefined },
    ])
    isLost = false
    expect(await post('adopt', { proof: testProof })).toMatchObject(createRefusal(403, 'device'))
    expect(calls.filter(([name]) => name === 'reassign')).toEqual([])
  })
})
