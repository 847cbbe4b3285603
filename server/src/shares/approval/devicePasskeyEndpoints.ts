import { Type } from '@sinclair/typebox'
import type { AuditLog } from '../../custody/auditLog.ts'
import { parseAssertion, passkeyAssertionSchema, passkeyIdSchema } from '../../custody/passkeys/parseAssertion.ts'
import type { Passkeys } from '../../custody/passkeys/passkeys.ts'
import { base64urlSchema, formatBase64url, parseBase64url } from '../../custody/requests/parseBase64url.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import { sha256 } from '../../kit/secrets/sha256.ts'
import { storeProofSchema } from '../../custody/requests/storeProofSchema.ts'
import type { StoreProofs } from '../account/storeProofs.ts'
import type { RecoveryMethods } from '../recovery/recoveryMethods.ts'
import type { RecoveryStore } from '../recovery/recoveryStore.ts'
import type { DeviceRequests } from './deviceRequests.ts'
import type { ShareAccess } from './shareAccess.ts'

export type DevicePasskeyEndpointsDependencies = {
  access: ShareAccess
  storeProofs: Pick<StoreProofs, 'assertProof'>
  passkeys: Pick<Passkeys, 'add' | 'createChallenge' | 'verify'>
  methods: Pick<RecoveryMethods, 'list'>
  store: Pick<RecoveryStore, 'findWalletId'>
  deviceRequests: Pick<DeviceRequests, 'approveByPasskey'>
  auditLog: Pick<AuditLog, 'record'>
}

const common = { method: 'POST', group: 'Share store' } as const
const refused = { status: 401 }
const exampleBytes = 'AAAAAAAAAAAAAAAAAAAAAA'

/**
 * Returns what a passkey signs before the challenge: the purpose, and the device that the approval is for. The frame signs
 * challenges of the auth service without it, so the auth service can't have a challenge of this service signed.
 *
 * @param key thumbprint of the device key, base64url
 */
export function devicePasskeyPrefix(key: string): Uint8Array {
  return Buffer.concat([Buffer.from('latchkey/device-passkey/1'), Buffer.from(key, 'base64url')])
}

/** The endpoints with which a user's passkey approves a new device: the second proof after a login with Farcaster. */
export function devicePasskeyEndpoints(dependencies: DevicePasskeyEndpointsDependencies): readonly Endpoint[] {
  return [registrationEndpoint(dependencies), challengeEndpoint(dependencies), approvalEndpoint(dependencies)]
}

function registrationEndpoint({
  access,
  storeProofs,
  passkeys,
  methods,
  auditLog,
}: DevicePasskeyEndpointsDependencies): Endpoint {
  return defineEndpoint({
    ...common,
    path: '/shares/v1/passkeys',
    summary:
      'Registers the public key of a passkey that is a recovery method, with a proof that the wallet is open. It approves new devices.',
    body: Type.Object({
      id: passkeyIdSchema,
      publicKey: base64urlSchema(256),
      proof: Type.Optional(storeProofSchema),
    }),
    response: Type.Object({}),
    example: { body: { id: exampleBytes, publicKey: exampleBytes }, ...refused },
    async handle({ body, raw }) {
      const { user, key, assertEstablishedDevice } = await access.admit(raw)
      await assertEstablishedDevice()
      const passkey = { id: parseBase64url(body.id, 'id'), publicKey: parseBase64url(body.publicKey, 'publicKey') }
      // It replaces the public key of the same passkey.
      await storeProofs.assertProof({ user, key }, { purpose: 'passkey', ...passkey }, body.proof)
      const listed = await methods.list(user)
      if (!listed.some(({ id, method }) => method === 'passkey' && id === body.id)) {
        throw new Problem(404, 'id', 'This passkey is not a recovery method of the wallet.')
      }
      await passkeys.add(user, passkey)
      await auditLog.record('passkey added', { user, key, raw })
      return {}
    },
  })
}

function challengeEndpoint({ access, passkeys, store }: DevicePasskeyEndpointsDependencies): Endpoint {
  return defineEndpoint({
    ...common,
    path: '/shares/v1/devices/passkey/challenge',
    summary: 'Creates a challenge with which a passkey approves this new device, and the input of its PRF extension.',
    body: Type.Object({}),
    response: Type.Object({ challenge: Type.String(), input: Type.String() }),
    example: { body: {}, ...refused },
    async handle({ raw }) {
      const { user, key } = await access.admitToSecondProof(raw)
      const walletId = await store.findWalletId(user)
      if (walletId === undefined) throw new Problem(404, 'user', 'There is no wallet yet.')
      return {
        challenge: formatBase64url(await passkeys.createChallenge(user, key)),
        // The frame computes the same from the id of the wallet, which a device that waits does not get.
        input: formatBase64url(sha256(Buffer.concat([Buffer.from('rek-wrap-v1'), walletId]))),
      }
    },
  })
}

function approvalEndpoint(dependencies: DevicePasskeyEndpointsDependencies): Endpoint {
  const { access, passkeys, deviceRequests, auditLog } = dependencies
  return defineEndpoint({
    ...common,
    path: '/shares/v1/devices/passkey',
    summary: 'Approves this new device by a passkey that is a recovery method of the wallet.',
    body: passkeyAssertionSchema,
    response: Type.Object({}),
    example: {
      body: {
        id: exampleBytes,
        authenticatorData: exampleBytes,
        clientDataJSON: exampleBytes,
        signature: exampleBytes,
      },
      ...refused,
    },
    async handle({ body, raw }) {
      const device = await access.admitToSecondProof(raw)
      const { user, key } = device
      await passkeys.verify(user, key, parseAssertion(body)).catch(async (error: unknown) => {
        await auditLog.record('passkey refused', { user, key, raw })
        throw error
      })
      await deviceRequests.approveByPasskey(device)
      await auditLog.record('passkey verified', { user, key, raw })
      return {}
    },
  })
}
