import { Type } from '@sinclair/typebox'
import { endpoint, type Endpoint } from '../../kit/endpoint.ts'
import { Problem } from '../../kit/problem.ts'
import type { Audit } from '../audit.ts'
import type { AuthShares } from '../authShares.ts'
import { bytesSchema, readBytes, writeBytes } from '../bytes.ts'
import type { Mailer } from '../mailer.ts'
import type { Users } from '../users.ts'
import type { Who } from '../who.ts'
import type { Deletions } from './deletions.ts'
import { deletionMail, exportMail } from './notices.ts'
import type { PasswordOprf } from './oprf.ts'
import type { Risks } from './risks.ts'

export type AccountParts = {
  who: Who
  users: Users
  shares: AuthShares
  oprf: PasswordOprf
  risks: Risks
  deletions: Deletions
  mailer: Mailer
  audit: Audit
  /** Where the page behind the link is that cancels a deletion. */
  cancelPage(): string
}

const refused = { status: 401 }
const atAnswer = Type.Object({ at: Type.Integer() })

/** The endpoints of what cannot be undone, and of the devices. */
export function accountEndpoints(parts: AccountParts): readonly Endpoint[] {
  const { who, shares, deletions } = parts
  const common = { method: 'POST', group: 'Account' } as const
  return [
    oprfEndpoint(parts),
    endpoint({
      ...common,
      path: '/auth/v1/devices',
      summary: 'The devices that have a part of the wallet key.',
      body: Type.Object({}),
      answer: Type.Object({
        devices: Type.Array(
          Type.Object({
            setId: Type.String(),
            browser: Type.String(),
            origin: Type.Optional(Type.String()),
            createdAt: Type.Integer(),
            current: Type.Boolean(),
          }),
        ),
      }),
      example: { body: {}, ...refused },
      async handle({ raw }) {
        const { user, key } = await who.user(raw)
        const devices = await shares.devices(user)
        return {
          devices: devices.map(({ setId, key: its, origin, ...facts }) => ({
            ...facts,
            ...(origin !== undefined && { origin }),
            setId: writeBytes(setId),
            current: its === key,
          })),
        }
      },
    }),
    exportEndpoint(parts),
    deletionEndpoint(parts),
    endpoint({
      ...common,
      path: '/auth/v1/deletion/cancel',
      summary: 'Keeps the account after all.',
      body: Type.Object({}),
      answer: Type.Object({}),
      example: { body: {}, ...refused },
      async handle({ raw }) {
        await deletions.cancel((await who.user(raw)).user)
        return {}
      },
    }),
  ]
}

function oprfEndpoint({ who, oprf, audit }: AccountParts): Endpoint {
  return endpoint({
    method: 'POST',
    group: 'Account',
    path: '/auth/v1/oprf',
    summary: 'The service’s word on a password that it cannot see (RFC 9497); each one is counted.',
    body: Type.Object({ blinded: bytesSchema(32), version: Type.Optional(Type.Integer({ minimum: 1 })) }),
    answer: Type.Object({ evaluated: Type.String(), version: Type.Integer() }),
    example: { body: { blinded: 'A'.repeat(43) }, ...refused },
    async handle({ body: { blinded, version }, raw }) {
      const { user, key } = await who.user(raw)
      try {
        const answer = await oprf.evaluate(user, readBytes(blinded, 'blinded', 32), version)
        return { evaluated: writeBytes(answer.evaluated), version: answer.version }
      } catch (error) {
        if (error instanceof Problem && error.status === 429) await audit.note('guess refused', { user, key, raw })
        throw error
      }
    },
  })
}

function exportEndpoint({ who, users, shares, risks, mailer, audit }: AccountParts): Endpoint {
  return endpoint({
    method: 'POST',
    group: 'Account',
    path: '/auth/v1/exported',
    summary: 'Notes that the keys are shown, before they are; says so by mail.',
    body: Type.Object({}),
    answer: atAnswer,
    example: { body: {}, ...refused },
    async handle({ raw }) {
      const access = await who.user(raw)
      risks.assertFresh(access)
      await risks.assertSeasoned(access)
      const { user, key } = access
      await tell(mailer, (await users.find(user))?.email, exportMail())
      const at = await shares.noteExport(user)
      await audit.note('key exported', { user, key, raw })
      return { at }
    },
  })
}

function deletionEndpoint({ who, users, risks, deletions, mailer, cancelPage }: AccountParts): Endpoint {
  return endpoint({
    method: 'POST',
    group: 'Account',
    path: '/auth/v1/deletion',
    summary: 'Has the account deleted after three days; until then it can be kept.',
    body: Type.Object({}),
    answer: atAnswer,
    example: { body: {}, ...refused },
    async handle({ raw }) {
      const access = await who.user(raw)
      risks.assertFresh(access)
      await risks.assertSeasoned(access)
      const { at, secret } = await deletions.ask(access.user)
      const link = `${cancelPage()}?${new URLSearchParams({ id: access.user, secret })}`
      await tell(mailer, (await users.find(access.user))?.email, deletionMail(link, at)).catch(
        async (error: unknown) => {
          await deletions.cancel(access.user)
          throw error
        },
      )
      return { at }
    },
  })
}

/** What its owner cannot be told of does not happen; who has no address cannot be told. */
async function tell(mailer: Mailer, to: string | undefined, mail: { subject: string; text: string }): Promise<void> {
  if (to === undefined) return
  try {
    await mailer.send({ to, ...mail })
  } catch (cause) {
    throw new Problem(503, 'mail', 'The mail could not be sent. Try again in a moment.', { cause })
  }
}
