import { Type } from '@sinclair/typebox'
import { clientAddress } from '../../kit/clientAddress.ts'
import { endpoint, type Endpoint } from '../../kit/endpoint.ts'
import { Problem } from '../../kit/problem.ts'
import type { Access } from '../accessTokens.ts'
import type { Audit } from '../audit.ts'
import { browserOf } from '../browserOf.ts'
import { bytesSchema, readBytes, writeBytes } from '../bytes.ts'
import type { Codes } from '../codes.ts'
import { tokensAnswer } from '../loginRoutes.ts'
import type { Sessions } from '../sessions.ts'
import type { Users } from '../users.ts'
import type { Who } from '../who.ts'
import type { Passkeys } from './passkeys.ts'
import type { Risks } from './risks.ts'

export type ProofParts = {
  who: Who
  users: Users
  codes: Codes
  sessions: Sessions
  passkeys: Passkeys
  risks: Risks
  audit: Audit
  trustedProxies: number
}

const refused = { status: 401 }
const common = { method: 'POST', group: 'Account' } as const
const one = 'AAAAAAAAAAAAAAAAAAAAAA'
const passkeyId = bytesSchema(1_024)

/** The endpoints by which somebody who is logged in shows once more that it is him: by a code, or by a passkey. */
export function proofEndpoints(parts: ProofParts): readonly Endpoint[] {
  return [...stepUpEndpoints(parts), ...passkeyEndpoints(parts)]
}

function stepUpEndpoints({ who, users, codes, sessions, trustedProxies }: ProofParts): readonly Endpoint[] {
  async function emailOf(user: string): Promise<string> {
    const { email } = (await users.find(user)) ?? {}
    if (email !== undefined && (await users.hasMailbox(user))) return email
    throw new Problem(401, 'mailbox', 'This login has no address for a code. Log in again the way you did.')
  }
  return [
    endpoint({
      ...common,
      path: '/auth/v1/stepup',
      summary: 'Sends a code to one’s own address, for what wants a fresh login.',
      body: Type.Object({ origin: Type.String({ maxLength: 256 }) }),
      answer: Type.Object({ id: Type.String() }),
      example: { body: { origin: 'http://localhost' }, ...refused },
      async handle({ body: { origin }, raw }) {
        const { user, key } = await who.user(raw)
        const asker = { origin: readOrigin(origin), browser: browserOf(raw.headers['user-agent']) }
        const client = clientAddress(raw, trustedProxies)
        const email = await emailOf(user)
        return codes.send({ email, purpose: 'step-up', key, project: 'step-up', client, asker })
      },
    }),
    endpoint({
      ...common,
      path: '/auth/v1/stepup/redeem',
      summary: 'Redeems that code: begins a fresh session.',
      body: Type.Object({ id: Type.String({ maxLength: 36 }), code: Type.String({ maxLength: 12 }) }),
      answer: tokensAnswer,
      example: { body: { id: '0', code: '123456' }, ...refused },
      async handle({ body, raw }) {
        const access = await who.user(raw)
        const { user, key } = access
        await codes.redeem({ ...body, email: await emailOf(user), purpose: 'step-up', key })
        return { ...(await sessions.begin({ user, key, methods: methodsOf(access, 'email') })) }
      },
    }),
  ]
}

function passkeyEndpoints({ who, sessions, passkeys, risks, audit }: ProofParts): readonly Endpoint[] {
  return [
    endpoint({
      ...common,
      path: '/auth/v1/passkeys',
      summary: 'Notes a passkey, by which the same person is known again.',
      body: Type.Object({ id: passkeyId, publicKey: bytesSchema(256) }),
      answer: Type.Object({}),
      example: { body: { id: one, publicKey: one }, ...refused },
      async handle({ body, raw }) {
        const access = await who.user(raw)
        await risks.assertSeasoned(access)
        const { user, key } = access
        await passkeys.add(user, {
          id: readBytes(body.id, 'id'),
          publicKey: readBytes(body.publicKey, 'publicKey'),
        })
        await audit.note('passkey added', { user, key, raw })
        return {}
      },
    }),
    endpoint({
      ...common,
      path: '/auth/v1/passkeys/remove',
      summary: 'Forgets a passkey.',
      body: Type.Object({ id: passkeyId }),
      answer: Type.Object({}),
      example: { body: { id: one }, ...refused },
      async handle({ body, raw }) {
        const access = await who.user(raw)
        await risks.assertSeasoned(access)
        await passkeys.remove(access.user, readBytes(body.id, 'id'))
        return {}
      },
    }),
    endpoint({
      ...common,
      path: '/auth/v1/passkeys/challenge',
      summary: 'What a passkey has to sign.',
      body: Type.Object({}),
      answer: Type.Object({ challenge: Type.String() }),
      example: { body: {}, ...refused },
      async handle({ raw }) {
        const { user, key } = await who.user(raw)
        return { challenge: writeBytes(await passkeys.challenge(user, key)) }
      },
    }),
    endpoint({
      ...common,
      path: '/auth/v1/passkeys/prove',
      summary: 'Takes what a passkey signed: begins a fresh session that says so.',
      body: Type.Object({
        id: passkeyId,
        authenticatorData: bytesSchema(1_024),
        clientDataJSON: bytesSchema(2_048),
        signature: bytesSchema(256),
      }),
      answer: tokensAnswer,
      example: { body: { id: one, authenticatorData: one, clientDataJSON: one, signature: one }, ...refused },
      async handle({ body, raw }) {
        const access = await who.user(raw)
        const { user, key } = access
        const answer = {
          id: readBytes(body.id, 'id'),
          authenticatorData: readBytes(body.authenticatorData, 'authenticatorData'),
          clientDataJSON: readBytes(body.clientDataJSON, 'clientDataJSON'),
          signature: readBytes(body.signature, 'signature'),
        }
        await passkeys.prove(user, key, answer).catch(async (error: unknown) => {
          await audit.note('passkey refused', { user, key, raw })
          throw error
        })
        await audit.note('passkey shown', { user, key, raw })
        return { ...(await sessions.begin({ user, key, methods: methodsOf(access, 'passkey') })) }
      },
    }),
  ]
}

/** It stands in the mail: nothing but an origin may. */
function readOrigin(text: string): string {
  if (URL.canParse(text) && new URL(text).origin === text) return text
  throw new Problem(400, 'origin', 'This is no origin.')
}

/** What was shown before counts no more than it did: only what was shown now is fresh. */
function methodsOf({ methods }: Access, shown: string): readonly string[] {
  return [...new Set([...methods.filter((each) => each !== 'passkey'), shown])]
}
