import type { IncomingMessage } from 'node:http'
import { Type } from '@sinclair/typebox'
import type { AuditLog } from '../../custody/auditLog.ts'
import { deletionEndpoints, type AdmittedDevice, type DeletionProof } from '../../custody/deletionEndpoints.ts'
import { sendRequiredMail, type Mail, type Mailer } from '../../custody/mail/mailer.ts'
import type { Authenticator } from '../../custody/requests/authenticator.ts'
import { base64urlSchema, formatBase64url, parseBase64url } from '../../custody/requests/parseBase64url.ts'
import { describeRequest, type DescribeRequestDependencies } from '../../custody/requests/source/describeRequest.ts'
import type { RiskChecks } from '../../custody/requests/riskChecks.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { AuthShares } from '../keyShares/authShares.ts'
import { assertWalletProof, type WalletProofDependencies } from '../keyShares/walletProofEndpoint.ts'
import type { Users } from '../login/users.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Deletions } from './deletions.ts'
import { deletionMail, noticeMail } from '../../messages/mails.ts'
import type { PasswordOprf } from './passwordOprf.ts'
import { formatActionLink } from '../../custody/pages/actionLink.ts'

export type AccountEndpointsDependencies = DescribeRequestDependencies &
  Pick<WalletProofDependencies, 'passkeys'> & {
    authenticator: Authenticator
    users: Pick<Users, 'find' | 'isProvenDevice'>
    shares: Pick<AuthShares, 'listAccounts' | 'listDevices' | 'recordExport'>
    sessions: Pick<Sessions, 'listDevices'>
    oprf: Pick<PasswordOprf, 'evaluate'>
    riskChecks: RiskChecks
    deletions: Pick<Deletions, 'schedule' | 'cancel'>
    mailer: Mailer
    auditLog: Pick<AuditLog, 'record'>
    /** The address of the page that cancels a deletion. */
    cancelPage(): string
  }

const common = { method: 'POST', group: 'Account' } as const
const refused = { status: 401 }

/** The endpoints of devices, key export and account deletion. */
export function accountEndpoints(dependencies: AccountEndpointsDependencies): readonly Endpoint[] {
  const { deletions } = dependencies
  const admit = createDeviceAdmission(dependencies)
  return [
    oprfEndpoint(dependencies),
    devicesEndpoint(dependencies),
    exportEndpoint(dependencies, admit),
    ...deletionEndpoints({
      path: '/auth/v1/deletion',
      group: 'Account',
      admit,
      summary:
        'Schedules the deletion of everything that the auth service keeps of the user: after three days with a proof of the wallet, otherwise after thirty.',
      schedule: (device, proof, request) => scheduleDeletion(dependencies, { device, proof }, request),
      cancel: deletions.cancel,
    }),
  ]
}

/** Returns the admission of devices by their login. */
export function createDeviceAdmission({
  authenticator,
  riskChecks,
}: Pick<AccountEndpointsDependencies, 'authenticator' | 'riskChecks'>) {
  return async (request: IncomingMessage): Promise<AdmittedDevice> => {
    const claims = await authenticator.authenticateUser(request)
    return {
      user: claims.user,
      key: claims.key,
      assertFreshLogin: (action) => riskChecks.assertFreshLogin(claims, action),
      assertEstablishedDevice: () => riskChecks.assertEstablishedDevice(claims),
      hasFreshPasskey: () => riskChecks.hasFreshPasskey(claims),
    }
  }
}

function devicesEndpoint({ authenticator, shares, sessions }: AccountEndpointsDependencies): Endpoint {
  const device = Type.Object({
    /** Omitted for a device that is logged in and has no share. */
    setId: Type.Optional(Type.String()),
    browser: Type.String(),
    origin: Type.Optional(Type.String()),
    /** The thumbprint of its key, by which the share store knows it, too. */
    key: Type.String(),
    createdAt: Type.Integer(),
    current: Type.Boolean(),
  })
  return defineEndpoint({
    ...common,
    path: '/auth/v1/devices',
    summary: 'Lists the devices that have a share of the wallet key, and those that are logged in.',
    body: Type.Object({}),
    response: Type.Object({ devices: Type.Array(device) }),
    example: { body: {}, ...refused },
    async handle({ raw }) {
      const { user, key } = await authenticator.authenticateUser(raw)
      const [enrolled, loggedIn] = await Promise.all([shares.listDevices(user), sessions.listDevices(user)])
      const keys = new Set(enrolled.map((each) => each.key))
      // A thief of a code may never enrol. The owner must see that device, too.
      const others = loggedIn.filter((each) => !keys.has(each.key))
      return {
        devices: [
          ...enrolled.map(({ setId, key: deviceKey, origin, ...facts }) => ({
            ...facts,
            ...(origin !== undefined && { origin }),
            setId: formatBase64url(setId),
            key: deviceKey,
            current: deviceKey === key,
          })),
          ...others.map((each) => ({ ...each, current: each.key === key })),
        ],
      }
    },
  })
}

function oprfEndpoint({ authenticator, users, oprf, auditLog }: AccountEndpointsDependencies): Endpoint {
  return defineEndpoint({
    ...common,
    path: '/auth/v1/oprf',
    summary: 'Evaluates a blinded password that the service cannot see (RFC 9497). Every attempt is counted.',
    body: Type.Object({ blinded: base64urlSchema(32), version: Type.Optional(Type.Integer({ minimum: 1 })) }),
    response: Type.Object({ evaluated: Type.String(), version: Type.Integer() }),
    example: { body: { blinded: 'A'.repeat(43) }, ...refused },
    async handle({ body: { blinded, version }, raw }) {
      const { user, key } = await authenticator.authenticateUser(raw)
      try {
        const guesser = { user, isProven: await users.isProvenDevice(user, key) }
        const result = await oprf.evaluate(guesser, parseBase64url(blinded, 'blinded', 32), version)
        return { evaluated: formatBase64url(result.evaluated), version: result.version }
      } catch (error) {
        const isLimited = error instanceof Problem && error.status === 429
        if (isLimited) await auditLog.record('password attempt refused', { user, key, raw })
        throw error
      }
    },
  })
}

function exportEndpoint(
  dependencies: AccountEndpointsDependencies,
  admit: (request: IncomingMessage) => Promise<AdmittedDevice>,
): Endpoint {
  const { users, shares, mailer, auditLog } = dependencies
  return defineEndpoint({
    ...common,
    path: '/auth/v1/exported',
    summary: 'Records that the wallet keys are about to be shown, and notifies the owner by mail.',
    body: Type.Object({}),
    response: Type.Object({ at: Type.Integer() }),
    example: { body: {}, ...refused },
    async handle({ raw }) {
      const { user, key, assertFreshLogin, assertEstablishedDevice } = await admit(raw)
      assertFreshLogin('export')
      await assertEstablishedDevice()
      const { words, facts } = await describeRequest(raw, dependencies)
      await notifyOwner(mailer, (await users.find(user))?.email, noticeMail(words, 'exportMail', facts))
      const at = await shares.recordExport(user)
      await auditLog.record('key exported', { user, key, raw })
      return { at }
    },
  })
}

async function scheduleDeletion(
  dependencies: AccountEndpointsDependencies,
  { device, proof }: { device: AdmittedDevice; proof: DeletionProof | undefined },
  request: IncomingMessage,
): Promise<number> {
  const { users, shares, deletions, mailer, cancelPage } = dependencies
  const { user } = device
  if (proof !== undefined) await assertWalletProof(dependencies, device, proof)
  // A user without a wallet has nothing to lose.
  const isProven = proof !== undefined || (await shares.listAccounts(user)) === undefined
  const { words, facts } = await describeRequest(request, dependencies)
  const { at, secret } = await deletions.schedule(user, { isProven, source: { ...facts, locale: words.locale } })
  const link = formatActionLink(cancelPage(), { id: user, secret }, facts)
  const mail = deletionMail(words, link, at, facts, 'first')
  await notifyOwner(mailer, (await users.find(user))?.email, mail).catch(async (error: unknown) => {
    await deletions.cancel(user)
    throw error
  })
  return at
}

/** An action that its owner cannot be notified of does not happen, unless the owner has no address. */
async function notifyOwner(mailer: Mailer, to: string | undefined, mail: Omit<Mail, 'to'>): Promise<void> {
  if (to !== undefined) await sendRequiredMail(mailer, { to, ...mail })
}
