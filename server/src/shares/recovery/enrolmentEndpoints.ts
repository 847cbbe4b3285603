import { Type } from '@sinclair/typebox'
import type { AuditLog } from '../../custody/auditLog.ts'
import { base64urlSchema, parseBase64url } from '../../custody/requests/parseBase64url.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { storeProofSchema } from '../../custody/requests/storeProofSchema.ts'
import type { StoreProofs } from '../account/storeProofs.ts'
import type { Devices } from '../approval/devices.ts'
import type { IdentityApprovals } from '../approval/identityApprovals.ts'
import type { ShareAccess } from '../approval/shareAccess.ts'
import type { RecoveryStore } from './recoveryStore.ts'
import { formatStoredWallet, storedWalletResponse } from './storedWalletResponse.ts'
import { parseWrappedKey, wrappedKeySchema } from './wrappedKeySchema.ts'

const id = base64urlSchema(16)
const epoch = Type.Integer({ minimum: 1, maximum: 2 ** 32 - 1 })
const setIdBody = Type.Object({ setId: id })
/** Some actions require a proof that the device has the wallet open. */
const provenBody = Type.Object({ setId: id, proof: Type.Optional(storeProofSchema) })
const exampleBytes = 'AAAAAAAAAAAAAAAAAAAAAA'
const refused = { status: 401 }
const common = { method: 'POST', group: 'Share store' } as const

export type EnrolmentEndpointsDependencies = {
  store: Omit<RecoveryStore, 'findWalletId' | 'removeDevice' | 'sweep'>
  access: ShareAccess
  storeProofs: Pick<StoreProofs, 'assertProof' | 'isProven'>
  devices: Pick<Devices, 'findByEnrolment' | 'isEstablishedDevice'>
  identityApprovals: Pick<IdentityApprovals, 'revokeApproval'>
  auditLog: Pick<AuditLog, 'record'>
}

/** The endpoints of enrolments: recovery shares and vaults. */
export function enrolmentEndpoints(dependencies: EnrolmentEndpointsDependencies): readonly Endpoint[] {
  return [
    prepareEndpoint(dependencies),
    ...commitEndpoints(dependencies),
    findEndpoint(dependencies),
    removeEndpoint(dependencies),
  ]
}

function prepareEndpoint({ store, access }: EnrolmentEndpointsDependencies): Endpoint {
  return defineEndpoint({
    ...common,
    path: '/shares/v1/sets',
    summary: 'Stores an enrolment as a draft.',
    body: Type.Object({
      walletId: id,
      setId: id,
      epoch,
      share: base64urlSchema(512),
      vault: Type.Optional(base64urlSchema(4_096)),
      wraps: Type.Optional(Type.Array(wrappedKeySchema, { maxItems: 16 })),
      /** The key with which the wallet proves later that it is open (Ed25519). The first enrolment of a wallet records it. */
      proofKey: Type.Optional(base64urlSchema(32)),
    }),
    response: Type.Object({}),
    example: {
      body: { walletId: exampleBytes, setId: exampleBytes, epoch: 1, share: exampleBytes },
      ...refused,
    },
    async handle({ body, raw }) {
      const { user, key, assertEstablishedDevice } = await access.admit(raw)
      const walletId = parseBase64url(body.walletId, 'walletId', 16)
      if (await store.startsNextEpoch(user, { walletId, epoch: body.epoch })) await assertEstablishedDevice()
      await store.prepare(user, {
        key,
        walletId,
        setId: parseBase64url(body.setId, 'setId', 16),
        epoch: body.epoch,
        share: parseBase64url(body.share, 'share'),
        vault: body.vault === undefined ? undefined : parseBase64url(body.vault, 'vault'),
        wraps: body.wraps?.map(parseWrappedKey),
        proofKey: body.proofKey === undefined ? undefined : parseBase64url(body.proofKey, 'proofKey', 32),
      })
      return {}
    },
  })
}

function commitEndpoints({ store, access, storeProofs }: EnrolmentEndpointsDependencies): readonly Endpoint[] {
  return [
    defineEndpoint({
      ...common,
      path: '/shares/v1/sets/read',
      summary: 'Returns an enrolment.',
      body: setIdBody,
      response: storedWalletResponse,
      example: { body: { setId: exampleBytes }, ...refused },
      async handle({ body, raw }) {
        const device = await access.admit(raw)
        return formatStoredWallet(await store.findEnrolment(device, parseBase64url(body.setId, 'setId', 16)), 'setId')
      },
    }),
    defineEndpoint({
      ...common,
      path: '/shares/v1/sets/commit',
      summary:
        'Makes an enrolment live. All but the first one of a wallet need a proof that the wallet is open, unless its key is not known here.',
      body: provenBody,
      response: Type.Object({}),
      example: { body: { setId: exampleBytes }, ...refused },
      async handle({ body, raw }) {
        const device = await access.admit(raw)
        const setId = parseBase64url(body.setId, 'setId', 16)
        const action = { purpose: 'epoch', setId } as const
        const isNextEpoch = await store.isNextEpochPrepared(device, setId)
        if (isNextEpoch) await device.assertEstablishedDevice()
        // A new epoch deletes everything of the previous one, and an enrolled device stays one of the user. The admission by a
        // login must not be enough for either.
        const mustProve = isNextEpoch || (await store.joinsProvableWallet(device, setId))
        if (mustProve) await storeProofs.assertProof(device, action, body.proof)
        const isProven = mustProve || (await storeProofs.isProven(device, action, body.proof))
        await store.commit(device, setId, { isProven })
        return {}
      },
    }),
  ]
}

function findEndpoint({ store, access }: EnrolmentEndpointsDependencies): Endpoint {
  return defineEndpoint({
    ...common,
    path: '/shares/v1/sets/find',
    summary: 'Returns the wallet by its latest live enrolment, to enrol an approved device.',
    body: Type.Object({ except: Type.Optional(Type.Array(id, { maxItems: 32 })) }),
    response: storedWalletResponse,
    example: { body: {}, ...refused },
    async handle({ body: { except = [] }, raw }) {
      const { user } = await access.admit(raw)
      const excluded = except.map((each) => parseBase64url(each, 'except', 16))
      return formatStoredWallet(await store.findWallet(user, excluded), 'user')
    },
  })
}

function removeEndpoint({
  store,
  access,
  storeProofs,
  devices,
  identityApprovals,
  auditLog,
}: EnrolmentEndpointsDependencies): Endpoint {
  return defineEndpoint({
    ...common,
    path: '/shares/v1/sets/remove',
    summary: 'Removes a device and its enrolment. An established one needs a proof that the wallet is open here.',
    body: provenBody,
    response: Type.Object({}),
    example: { body: { setId: exampleBytes }, ...refused },
    async handle({ body, raw }) {
      const { user, key, assertEstablishedDevice } = await access.admit(raw)
      const setId = parseBase64url(body.setId, 'setId', 16)
      const target = await devices.findByEnrolment(user, setId)
      // An attacker's new device must not lock out the owner's other devices [C-05].
      const isSeasoned = target !== undefined && (await devices.isEstablishedDevice(user, target))
      if (isSeasoned && target !== key) {
        await assertEstablishedDevice()
        await storeProofs.assertProof({ user, key }, { purpose: 'remove', setId }, body.proof)
      }
      const removed = await store.remove(user, setId)
      if (removed === undefined) return {}
      await identityApprovals.revokeApproval(user, removed)
      await auditLog.record('device revoked', { user, key, raw, about: removed })
      return {}
    },
  })
}
