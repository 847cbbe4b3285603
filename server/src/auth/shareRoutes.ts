import { Type } from '@sinclair/typebox'
import { endpoint, type Endpoint } from '../kit/endpoint.ts'
import { Problem } from '../kit/problem.ts'
import { deviceMail } from './account/notices.ts'
import type { PasswordOprf } from './account/oprf.ts'
import type { Risks } from './account/risks.ts'
import type { Audit } from './audit.ts'
import type { AuthShare, AuthShares } from './authShares.ts'
import { browserOf } from './browserOf.ts'
import { bytesSchema, readBytes, writeBytes } from './bytes.ts'
import type { Mailer } from './mailer.ts'
import type { Sessions } from './sessions.ts'
import type { Users } from './users.ts'
import type { Who } from './who.ts'

const shareText = bytesSchema(256)
const id = bytesSchema(16)
const epoch = Type.Integer({ minimum: 1, maximum: 2 ** 32 - 1 })
const share = { walletId: id, setId: id, epoch, share: shareText }
const account = Type.Object({ namespace: Type.String({ maxLength: 32 }), address: Type.String({ maxLength: 128 }) })
const shareAnswer = Type.Object({ walletId: Type.String(), setId: Type.String(), epoch, share: Type.String() })
const setOnly = Type.Object({ setId: id })
const one = 'AAAAAAAAAAAAAAAAAAAAAA'
const refused = { status: 401 }

/** What the endpoints of shares are made of. */
export type ShareParts = {
  shares: AuthShares
  who: Who
  users: Pick<Users, 'forgetKey' | 'find'>
  sessions: Pick<Sessions, 'endKey'>
  oprf: Pick<PasswordOprf, 'succeeded'>
  risks: Risks
  audit: Audit
  mailer: Mailer
}

/** The endpoints of the auth service's parts of wallet keys. */
export function shareEndpoints(parts: ShareParts): readonly Endpoint[] {
  return [...enrolmentEndpoints(parts), ...givingEndpoints(parts)]
}

const common = { method: 'POST', group: 'Shares of the auth service' } as const

/** By which a part comes here, in two phases. */
function enrolmentEndpoints({ shares, who, oprf, risks, audit }: ShareParts): readonly Endpoint[] {
  return [
    endpoint({
      ...common,
      path: '/auth/v1/shares',
      summary: 'Prepares the part of an enrolment; it counts for nothing before it is committed.',
      body: Type.Object({
        ...share,
        accounts: Type.Array(account, { minItems: 1, maxItems: 8 }),
        /** The page that the device is used on, for showing it. */
        origin: Type.Optional(Type.String({ maxLength: 256 })),
      }),
      answer: Type.Object({}),
      example: {
        body: { walletId: one, setId: one, epoch: 1, share: one, accounts: [{ namespace: 'a', address: 'b' }] },
        ...refused,
      },
      async handle({ body, raw }) {
        const owner = await who.user(raw)
        const { walletId, setId, origin } = body
        if (await shares.beginsEpoch(owner.user, body.epoch)) await risks.assertSeasoned(owner)
        const given = {
          walletId: readBytes(walletId, 'walletId', 16),
          setId: readBytes(setId, 'setId', 16),
          epoch: body.epoch,
          share: readBytes(body.share, 'share'),
          accounts: body.accounts,
        }
        await shares.prepare(owner, given, { browser: browserOf(raw.headers['user-agent']), origin })
        return {}
      },
    }),
    endpoint({
      ...common,
      path: '/auth/v1/shares/read',
      summary: 'Reads back what this device prepared.',
      body: setOnly,
      answer: shareAnswer,
      example: { body: { setId: one }, ...refused },
      handle: async ({ body, raw }) =>
        told(await shares.read(await who.user(raw), readBytes(body.setId, 'setId', 16)), 'setId'),
    }),
    endpoint({
      ...common,
      path: '/auth/v1/shares/commit',
      summary: 'Makes the part of an enrolment count.',
      body: setOnly,
      answer: Type.Object({}),
      example: { body: { setId: one }, ...refused },
      async handle({ body, raw }) {
        const owner = await who.user(raw)
        const setId = readBytes(body.setId, 'setId', 16)
        const { epoch: at } = (await shares.read(owner, setId)) ?? { epoch: 0 }
        if (await shares.beginsEpoch(owner.user, at)) {
          await risks.assertSeasoned(owner)
          await audit.note('epoch begun', { ...owner, raw })
        }
        await shares.commit(owner, setId)
        await oprf.succeeded(owner.user)
        return {}
      },
    }),
  ]
}

/** By which it is given, and taken away. */
function givingEndpoints(parts: ShareParts): readonly Endpoint[] {
  const { shares, who, users, sessions, audit } = parts
  return [
    endpoint({
      ...common,
      path: '/auth/v1/shares/own',
      summary: 'The part that was made for this device.',
      body: Type.Object({}),
      answer: shareAnswer,
      example: { body: {}, ...refused },
      handle: async ({ raw }) => told(await shares.own(await who.user(raw)), 'key'),
    }),
    endpoint({
      ...common,
      path: '/auth/v1/shares/any',
      summary: 'The part of any device, to set up another one with what the share store keeps.',
      body: Type.Object({ setId: Type.Optional(id) }),
      answer: shareAnswer,
      example: { body: {}, ...refused },
      async handle({ body, raw }) {
        const { user } = await who.user(raw)
        return told(
          await shares.any(user, body.setId === undefined ? undefined : readBytes(body.setId, 'setId', 16)),
          'user',
        )
      },
    }),
    endpoint({
      ...common,
      path: '/auth/v1/shares/revoke',
      summary: 'Takes a device away.',
      body: setOnly,
      answer: Type.Object({}),
      example: { body: { setId: one }, ...refused },
      async handle({ body, raw }) {
        const { user, key } = await who.user(raw)
        const revoked = await shares.revoke(user, readBytes(body.setId, 'setId', 16))
        if (revoked === undefined) return {}
        await users.forgetKey(user, revoked)
        await sessions.endKey(user, revoked)
        await audit.note('device revoked', { user, key, raw, about: revoked })
        if (revoked !== key) await tellOwner(parts, user)
        return {}
      },
    }),
  ]
}

/** The device is taken away whether its owner can be told or not. */
async function tellOwner({ users, mailer }: ShareParts, user: string): Promise<void> {
  const { email } = (await users.find(user)) ?? {}
  if (email !== undefined) await mailer.send({ to: email, ...deviceMail() }).catch(() => undefined)
}

function told(found: AuthShare | undefined, field: string) {
  if (found === undefined) throw new Problem(404, field, 'There is no such part of a key here.')
  const { walletId, setId, share: secret, ...rest } = found
  return { walletId: writeBytes(walletId), setId: writeBytes(setId), share: writeBytes(secret), ...rest }
}
