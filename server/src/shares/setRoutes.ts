import { Type, type Static } from '@sinclair/typebox'
import type { Audit } from '../auth/audit.ts'
import { bytesSchema, readBytes, writeBytes } from '../auth/bytes.ts'
import { endpoint, type Endpoint } from '../kit/endpoint.ts'
import { Problem } from '../kit/problem.ts'
import type { ShareAccess } from './access.ts'
import type { Identities } from './identity.ts'
import type { Kept, RecoveryStore, Wrap } from './recoveryStore.ts'

const id = bytesSchema(16)
const epoch = Type.Integer({ minimum: 1, maximum: 2 ** 32 - 1 })
export const wrapSchema = Type.Object({
  id: Type.String({ pattern: '^[\\w-]{1,128}$' }),
  method: Type.Enum({ auto: 'auto', password: 'password', passkey: 'passkey' }),
  wrapped: bytesSchema(256),
  facts: Type.String({ maxLength: 1_024 }),
})
const keptAnswer = Type.Object({
  walletId: Type.String(),
  setId: Type.String(),
  epoch,
  share: Type.String(),
  vault: Type.String(),
  wraps: Type.Array(
    Type.Object({ id: Type.String(), method: Type.String(), wrapped: Type.String(), facts: Type.String() }),
  ),
})
const setOnly = Type.Object({ setId: id })
const one = 'AAAAAAAAAAAAAAAAAAAAAA'
const refused = { status: 401 }

export type SetParts = {
  store: RecoveryStore
  access: ShareAccess
  identities: Pick<Identities, 'withdraw'>
  audit: Audit
}

/** The endpoints of what is kept for recovery. */
export function setEndpoints({ store, access, identities, audit }: SetParts): readonly Endpoint[] {
  const common = { method: 'POST', group: 'Share store' } as const
  return [
    endpoint({
      ...common,
      path: '/shares/v1/sets',
      summary: 'Prepares an enrolment; it counts for nothing before it is committed.',
      body: Type.Object({
        walletId: id,
        setId: id,
        epoch,
        share: bytesSchema(512),
        vault: Type.Optional(bytesSchema(4_096)),
        wraps: Type.Optional(Type.Array(wrapSchema, { maxItems: 16 })),
      }),
      answer: Type.Object({}),
      example: { body: { walletId: one, setId: one, epoch: 1, share: one }, ...refused },
      async handle({ body, raw }) {
        const { user, key, assertSeasoned } = await access.admit(raw)
        const walletId = readBytes(body.walletId, 'walletId', 16)
        if (await store.beginsEpoch(user, { walletId, epoch: body.epoch })) await assertSeasoned()
        await store.prepare(user, {
          key,
          walletId,
          setId: readBytes(body.setId, 'setId', 16),
          epoch: body.epoch,
          share: readBytes(body.share, 'share'),
          vault: body.vault === undefined ? undefined : readBytes(body.vault, 'vault'),
          wraps: body.wraps?.map(readWrap),
        })
        return {}
      },
    }),
    endpoint({
      ...common,
      path: '/shares/v1/sets/read',
      summary: 'Reads back what was prepared.',
      body: setOnly,
      answer: keptAnswer,
      example: { body: { setId: one }, ...refused },
      handle: async ({ body, raw }) =>
        told(await store.read((await access.admit(raw)).user, readBytes(body.setId, 'setId', 16)), 'setId'),
    }),
    endpoint({
      ...common,
      path: '/shares/v1/sets/commit',
      summary: 'Makes an enrolment count.',
      body: setOnly,
      answer: Type.Object({}),
      example: { body: { setId: one }, ...refused },
      async handle({ body, raw }) {
        await store.commit((await access.admit(raw)).user, readBytes(body.setId, 'setId', 16))
        return {}
      },
    }),
    endpoint({
      ...common,
      path: '/shares/v1/sets/find',
      summary: 'What is kept of the wallet, to set up a device that was approved.',
      body: Type.Object({ except: Type.Optional(Type.Array(id, { maxItems: 32 })) }),
      answer: keptAnswer,
      example: { body: {}, ...refused },
      async handle({ body: { except = [] }, raw }) {
        const { user } = await access.admit(raw)
        const leftOut = except.map((each) => readBytes(each, 'except', 16))
        return told(await store.find(user, leftOut), 'user')
      },
    }),
    endpoint({
      ...common,
      path: '/shares/v1/sets/remove',
      summary: 'Forgets the enrolment of a device.',
      body: setOnly,
      answer: Type.Object({}),
      example: { body: { setId: one }, ...refused },
      async handle({ body, raw }) {
        const { user, key } = await access.admit(raw)
        const removed = await store.remove(user, readBytes(body.setId, 'setId', 16))
        if (removed === undefined) return {}
        await identities.withdraw(user, removed)
        await audit.note('device revoked', { user, key, raw, about: removed })
        return {}
      },
    }),
  ]
}

/** Reads a wrap of JSON. @throws Problem 400 `wraps` */
export function readWrap({ wrapped, ...facts }: Static<typeof wrapSchema>): Wrap {
  return { ...facts, wrapped: readBytes(wrapped, 'wraps') }
}

function told(kept: Kept | undefined, field: string) {
  if (kept === undefined) throw new Problem(404, field, 'There is nothing kept here.')
  const { walletId, setId, share, vault, wraps, epoch: at } = kept
  return {
    walletId: writeBytes(walletId),
    setId: writeBytes(setId),
    epoch: at,
    share: writeBytes(share),
    vault: writeBytes(vault),
    wraps: wraps.map(({ wrapped, ...facts }) => ({ ...facts, wrapped: writeBytes(wrapped) })),
  }
}
