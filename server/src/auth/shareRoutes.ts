import { Type } from '@sinclair/typebox'
import { endpoint, type Endpoint } from '../kit/endpoint.ts'
import { Problem } from '../kit/problem.ts'
import type { AuthShare, AuthShares } from './authShares.ts'
import { bytesSchema, readBytes, writeBytes } from './bytes.ts'
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

/** The endpoints of the auth service's parts of wallet keys. */
export function shareEndpoints({ shares, who }: { shares: AuthShares; who: Who }): readonly Endpoint[] {
  const common = { method: 'POST', group: 'Shares of the auth service' } as const
  return [
    endpoint({
      ...common,
      path: '/auth/v1/shares',
      summary: 'Prepares the part of an enrolment; it counts for nothing before it is committed.',
      body: Type.Object({ ...share, accounts: Type.Array(account, { minItems: 1, maxItems: 8 }) }),
      answer: Type.Object({}),
      example: {
        body: { walletId: one, setId: one, epoch: 1, share: one, accounts: [{ namespace: 'a', address: 'b' }] },
        ...refused,
      },
      async handle({ body, raw }) {
        const owner = await who.user(raw)
        const { walletId, setId } = body
        await shares.prepare(owner, {
          walletId: readBytes(walletId, 'walletId', 16),
          setId: readBytes(setId, 'setId', 16),
          epoch: body.epoch,
          share: readBytes(body.share, 'share'),
          accounts: body.accounts,
        })
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
        await shares.commit(await who.user(raw), readBytes(body.setId, 'setId', 16))
        return {}
      },
    }),
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
        await shares.revoke((await who.user(raw)).user, readBytes(body.setId, 'setId', 16))
        return {}
      },
    }),
  ]
}

function told(found: AuthShare | undefined, field: string) {
  if (found === undefined) throw new Problem(404, field, 'There is no such part of a key here.')
  const { walletId, setId, share: secret, ...rest } = found
  return { walletId: writeBytes(walletId), setId: writeBytes(setId), share: writeBytes(secret), ...rest }
}
