import type { IncomingMessage } from 'node:http'
import { Type } from '@sinclair/typebox'
import type { AuditLog } from '../../custody/auditLog.ts'
import type { Mailer } from '../../custody/mail/mailer.ts'
import type { Authenticator } from '../../custody/requests/authenticator.ts'
import { describeBrowser } from '../../custody/requests/source/describeBrowser.ts'
import { describeRequest, type DescribeRequestDependencies } from '../../custody/requests/source/describeRequest.ts'
import { base64urlSchema, formatBase64url, parseBase64url } from '../../custody/requests/parseBase64url.ts'
import type { RiskChecks } from '../../custody/requests/riskChecks.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { isOriginOnly } from '../../kit/http/isOriginOnly.ts'
import { Problem } from '../../kit/http/problem.ts'
import { noticeMail } from '../../messages/mails.ts'
import type { Deletions } from '../account/deletions.ts'
import type { Users } from '../login/users.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { AuthShare, AuthShares, ShareOwner } from './authShares.ts'
import type { EnrolmentNotices } from './enrolmentNotices.ts'
import type { ShareProofs } from './shareProofs.ts'
import {
  assertWalletProof,
  isWalletProven,
  walletProofSchema,
  type WalletProofDependencies,
} from './walletProofEndpoint.ts'

const id = base64urlSchema(16)
const epoch = Type.Integer({ minimum: 1, maximum: 2 ** 32 - 1 })
const account = Type.Object({ namespace: Type.String({ maxLength: 32 }), address: Type.String({ maxLength: 128 }) })
const shareResponse = Type.Object({ walletId: Type.String(), setId: Type.String(), epoch, share: Type.String() })
const setIdBody = Type.Object({ setId: id })
/** The proof is needed for an action that no device may take which doesn't open the wallet. */
const provenBody = Type.Object({ setId: id, proof: Type.Optional(walletProofSchema) })
const exampleBytes = 'AAAAAAAAAAAAAAAAAAAAAA'
const refused = { status: 401 }
const common = { method: 'POST', group: 'Shares of the auth service' } as const

export type ShareEndpointsDependencies = DescribeRequestDependencies &
  WalletProofDependencies & {
    shares: AuthShares
    authenticator: Authenticator
    shareProofs: ShareProofs
    notices: Pick<EnrolmentNotices, 'notify'>
    users: Pick<Users, 'forgetDevice' | 'find' | 'isEstablishedDevice' | 'recordProof'>
    sessions: Pick<Sessions, 'endDevice'>
    deletions: Pick<Deletions, 'cancelUnproven'>
    riskChecks: RiskChecks
    auditLog: AuditLog
    mailer: Mailer
  }

/** The endpoints of auth shares. */
export function shareEndpoints(dependencies: ShareEndpointsDependencies): readonly Endpoint[] {
  return [
    prepareEndpoint(dependencies),
    ...commitEndpoints(dependencies),
    ...shareQueryEndpoints(dependencies),
    revokeEndpoint(dependencies),
  ]
}

function prepareEndpoint({ shares, shareProofs, authenticator, riskChecks }: ShareEndpointsDependencies): Endpoint {
  return defineEndpoint({
    ...common,
    path: '/auth/v1/shares',
    summary: 'Stores the share of an enrolment as a draft.',
    body: Type.Object({
      walletId: id,
      setId: id,
      epoch,
      share: base64urlSchema(256),
      /** The SHA-256 of the proof that a new device needs for this share. */
      verifier: Type.Optional(base64urlSchema(32)),
      accounts: Type.Array(account, { minItems: 1, maxItems: 8 }),
      /** The page that the device is used on, for showing it to the owner. */
      origin: Type.Optional(Type.String({ maxLength: 256 })),
    }),
    response: Type.Object({}),
    example: {
      body: {
        walletId: exampleBytes,
        setId: exampleBytes,
        epoch: 1,
        share: exampleBytes,
        accounts: [{ namespace: 'a', address: 'b' }],
      },
      ...refused,
    },
    async handle({ body, raw }) {
      const owner = await authenticator.authenticateUser(raw)
      // The device chooses it, and the owner reads it in the list of devices.
      if (body.origin !== undefined && !isOriginOnly(body.origin)) {
        throw new Problem(400, 'origin', 'This is not the origin of a page.')
      }
      if (await shares.startsNextEpoch(owner.user, body.epoch)) await riskChecks.assertEstablishedDevice(owner)
      const share = {
        walletId: parseBase64url(body.walletId, 'walletId', 16),
        setId: parseBase64url(body.setId, 'setId', 16),
        epoch: body.epoch,
        share: parseBase64url(body.share, 'share'),
        accounts: body.accounts,
      }
      const browser = describeBrowser(raw.headers['user-agent'])
      await shares.prepare(owner, share, { browser, origin: body.origin })
      if (body.verifier !== undefined) {
        await shareProofs.store(owner, share.setId, parseBase64url(body.verifier, 'verifier', 32))
      }
      return {}
    },
  })
}

function commitEndpoints(dependencies: ShareEndpointsDependencies): readonly Endpoint[] {
  const { shares, notices, authenticator, riskChecks, auditLog } = dependencies
  return [
    defineEndpoint({
      ...common,
      path: '/auth/v1/shares/read',
      summary: 'Returns the share that this device prepared.',
      body: setIdBody,
      response: shareResponse,
      example: { body: { setId: exampleBytes }, ...refused },
      async handle({ body, raw }) {
        const owner = await authenticator.authenticateUser(raw)
        return toShareResponse(await shares.findPrepared(owner, parseBase64url(body.setId, 'setId', 16)), 'setId')
      },
    }),
    defineEndpoint({
      ...common,
      path: '/auth/v1/shares/commit',
      summary:
        'Makes the share of an enrolment live. The first one of an epoch needs a proof that the wallet is open. Any other one that has it replaces unused ones.',
      body: provenBody,
      response: Type.Object({}),
      example: { body: { setId: exampleBytes }, ...refused },
      async handle({ body, raw }) {
        const owner = await authenticator.authenticateUser(raw)
        const setId = parseBase64url(body.setId, 'setId', 16)
        const isNextEpoch = await shares.isNextEpochPrepared(owner, setId)
        if (isNextEpoch) {
          await riskChecks.assertEstablishedDevice(owner)
          // It deletes all shares of the previous epoch, so a login must not be enough.
          await assertWalletProof(dependencies, owner, body.proof)
          await auditLog.record('epoch started', { ...owner, raw })
        }
        const isProven = !isNextEpoch && (await isWalletProven(dependencies, owner, body.proof))
        await notices.notify(owner, raw)
        await shares.commit(owner, setId, { isProven })
        return {}
      },
    }),
  ]
}

function shareQueryEndpoints(dependencies: ShareEndpointsDependencies): readonly Endpoint[] {
  const { shares, shareProofs, notices, users, deletions, authenticator } = dependencies
  return [
    defineEndpoint({
      ...common,
      path: '/auth/v1/shares/own',
      summary: 'Returns the share of this device.',
      body: Type.Object({}),
      response: shareResponse,
      example: { body: {}, ...refused },
      async handle({ raw }) {
        const owner = await authenticator.authenticateUser(raw)
        const share = await shares.findOwn(owner)
        // A wallet that is in use is not deleted because of a login alone.
        if (share !== undefined) await deletions.cancelUnproven(owner.user)
        return toShareResponse(share, 'key')
      },
    }),
    defineEndpoint({
      ...common,
      path: '/auth/v1/shares/any',
      summary: 'Returns the share of any device, to enrol another device that has the data of the share store.',
      body: Type.Object({ setId: id, proof: base64urlSchema(32) }),
      response: shareResponse,
      example: { body: { setId: exampleBytes, proof: 'A'.repeat(43) }, ...refused },
      async handle({ body, raw }) {
        const { user, key } = await authenticator.authenticateUser(raw)
        const setId = parseBase64url(body.setId, 'setId', 16)
        const isProven = await shareProofs.isValid(user, setId, parseBase64url(body.proof, 'proof', 32))
        const share = isProven ? await shares.findForNewDevice(user, setId) : undefined
        // A modified frame need not enrol. With this share it has two of three.
        if (share !== undefined) await notices.notify({ user, key }, raw)
        if (share !== undefined && (await shareProofs.isOfProvenDevice({ user, key }, setId))) {
          await users.recordProof(user, key)
        }
        return toShareResponse(share, 'user')
      },
    }),
  ]
}

function revokeEndpoint(dependencies: ShareEndpointsDependencies): Endpoint {
  const { shares, authenticator, users, sessions, riskChecks, auditLog } = dependencies
  return defineEndpoint({
    ...common,
    path: '/auth/v1/shares/revoke',
    summary: 'Revokes a device. An established one needs a proof that the wallet is open here.',
    body: provenBody,
    response: Type.Object({}),
    example: { body: { setId: exampleBytes }, ...refused },
    async handle({ body, raw }) {
      const claims = await authenticator.authenticateUser(raw)
      const { user, key } = claims
      const setId = parseBase64url(body.setId, 'setId', 16)
      if (!(await mayAnyDeviceRevoke(dependencies, claims, setId))) {
        await riskChecks.assertEstablishedDevice(claims)
        await assertWalletProof(dependencies, claims, body.proof)
      }
      const revoked = await shares.revoke(user, setId)
      if (revoked === undefined) return {}
      await users.forgetDevice(user, revoked)
      await sessions.endDevice(user, revoked)
      await auditLog.record('device revoked', { user, key, raw, about: revoked })
      if (revoked !== key) await notifyOfRevocation(dependencies, user, raw)
      return {}
    },
  })
}

/**
 * A device may revoke itself, and devices that are as new as itself. An attacker's new device must not lock out the owner's
 * other devices before the owner can react to the notice [C-05].
 */
async function mayAnyDeviceRevoke(
  { shares, users }: ShareEndpointsDependencies,
  { user, key }: ShareOwner,
  setId: Uint8Array,
): Promise<boolean> {
  const target = (await shares.listDevices(user)).find((device) => Buffer.compare(device.setId, setId) === 0)
  if (target === undefined) return false
  return target.key === key || !(await users.isEstablishedDevice(user, target.key))
}

/** Best effort: the device is revoked even if the owner cannot be notified. */
async function notifyOfRevocation(
  dependencies: ShareEndpointsDependencies,
  user: string,
  request: IncomingMessage,
): Promise<void> {
  const { email } = (await dependencies.users.find(user)) ?? {}
  if (email === undefined) return
  const { words, facts } = await describeRequest(request, dependencies)
  const mail = { to: email, ...noticeMail(words, 'deviceRemovedMail', facts) }
  await dependencies.mailer.send(mail).catch(() => undefined)
}

function toShareResponse(found: AuthShare | undefined, field: string) {
  if (found === undefined) throw new Problem(404, field, 'There is no such key share here.')
  const { walletId, setId, share, ...rest } = found
  return {
    walletId: formatBase64url(walletId),
    setId: formatBase64url(setId),
    share: formatBase64url(share),
    ...rest,
  }
}
