import { Type } from '@sinclair/typebox'
import { clientAddress } from '../kit/clientAddress.ts'
import { endpoint, type Endpoint } from '../kit/endpoint.ts'
import type { Projects } from '../kit/projects.ts'
import { Problem } from '../kit/problem.ts'
import type { AccessTokens } from './accessTokens.ts'
import type { Deletions } from './account/deletions.ts'
import type { Audit } from './audit.ts'
import type { AuthShares } from './authShares.ts'
import { browserOf } from './browserOf.ts'
import type { Codes } from './codes.ts'
import type { Sessions, SessionTokens } from './sessions.ts'
import type { Identities } from './social/identities.ts'
import type { Users } from './users.ts'
import type { Who } from './who.ts'

/** What the login endpoints are made of. */
export type LoginParts = {
  codes: Codes
  sessions: Sessions
  shares: AuthShares
  tokens: AccessTokens
  users: Users
  who: Who
  deletions: Pick<Deletions, 'at'>
  identities: Pick<Identities, 'find'>
  audit: Audit
  projects: Projects
  trustedProxies: number
}

const emailText = Type.String({ maxLength: 254 })
const tokenText = Type.String({ maxLength: 128 })
const account = Type.Object({ namespace: Type.String(), address: Type.String() })
/** Who is logged in, as it is told. */
export const userAnswer = Type.Object({
  id: Type.String(),
  email: Type.Optional(Type.String()),
  /** By which account elsewhere, and how it is called there, where it was one. */
  social: Type.Optional(Type.String()),
  userName: Type.Optional(Type.String()),
  /** Absent before there is a wallet. */
  accounts: Type.Optional(Type.Array(account)),
  /** When the account goes, if it was asked to. */
  deletionAt: Type.Optional(Type.Integer()),
})
/** The tokens of a session, as they are told. */
export const tokensAnswer = Type.Object({
  accessToken: Type.String(),
  refreshToken: Type.String(),
  expiresAt: Type.Integer(),
})
const refused = { status: 401 }

/** The endpoints that codes, sessions and users are behind. */
export function loginEndpoints(parts: LoginParts): readonly Endpoint[] {
  return [...codeEndpoints(parts), ...sessionEndpoints(parts)]
}

function codeEndpoints(parts: LoginParts): readonly Endpoint[] {
  const { codes, sessions, users, who, audit, projects, trustedProxies } = parts
  return [
    endpoint({
      method: 'POST',
      path: '/auth/v1/codes',
      group: 'Login',
      summary: 'Sends a code by mail. What comes first depends on the device, never on whether there is an account.',
      body: Type.Object({
        email: emailText,
        projectId: Type.String({ maxLength: 64 }),
        /** The page that asks, as the frame was told by the browser. */
        origin: Type.String({ maxLength: 256 }),
      }),
      answer: Type.Object({ id: Type.String(), action: Type.Enum({ device: 'VERIFY_DEVICE', code: 'VERIFY_OTP' }) }),
      example: {
        body: { email: 'ann@example.org', projectId: 'ab'.repeat(16), origin: 'http://localhost' },
        ...refused,
      },
      async handle({ body: { email, projectId, origin }, raw }) {
        const key = await who.key(raw)
        if (projects.check(projectId, origin) !== 'ok') {
          throw new Problem(403, 'origin', 'This origin is not allowed for the project.')
        }
        const client = clientAddress(raw, trustedProxies)
        const asker = { origin, browser: browserOf(raw.headers['user-agent']) }
        const { id } = await codes.send({ email, purpose: 'login', key, project: projectId, client, asker })
        return { id, action: (await users.isKnownKey(key)) ? 'VERIFY_OTP' : 'VERIFY_DEVICE' } as const
      },
    }),
    endpoint({
      method: 'POST',
      path: '/auth/v1/codes/redeem',
      group: 'Login',
      summary: 'Redeems a code of the same device: begins a session.',
      body: Type.Object({ id: Type.String({ maxLength: 36 }), email: emailText, code: Type.String({ maxLength: 12 }) }),
      answer: Type.Object({ tokens: tokensAnswer, user: userAnswer }),
      example: { body: { id: '0', email: 'ann@example.org', code: '123456' }, ...refused },
      async handle({ body, raw }) {
        const key = await who.key(raw)
        const { mailbox, email } = await codes.redeem({ ...body, purpose: 'login', key }).catch(async (error) => {
          await audit.note('code refused', { key, raw })
          throw error
        })
        const { id } = await users.byMailbox(mailbox, email)
        await users.rememberKey(id, key)
        await audit.note('login', { user: id, key, raw })
        return { tokens: await begun(sessions, { user: id, key }), user: await tellUser(parts, id) }
      },
    }),
  ]
}

function sessionEndpoints(parts: LoginParts): readonly Endpoint[] {
  const { sessions, tokens, who, audit } = parts
  return [
    endpoint({
      method: 'POST',
      path: '/auth/v1/tokens',
      group: 'Login',
      summary: 'Trades the refresh token of a session for the next one.',
      body: Type.Object({ refreshToken: tokenText }),
      answer: tokensAnswer,
      example: { body: { refreshToken: '0' }, ...refused },
      async handle({ body, raw }) {
        const key = await who.key(raw)
        const next = await sessions.refresh(body.refreshToken, key).catch(async (error) => {
          await audit.note('token refused', { key, raw })
          throw error
        })
        return { ...next }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/auth/v1/tokens/end',
      group: 'Login',
      summary: 'Ends a session.',
      body: Type.Object({ refreshToken: tokenText }),
      answer: Type.Object({}),
      example: { body: { refreshToken: '0' }, ...refused },
      async handle({ body, raw }) {
        await who.key(raw)
        await sessions.end(body.refreshToken)
        return {}
      },
    }),
    endpoint({
      method: 'GET',
      path: '/auth/v1/user',
      group: 'Login',
      summary: 'Who is logged in.',
      answer: userAnswer,
      example: refused,
      handle: async ({ raw }) => tellUser(parts, (await who.user(raw)).user),
    }),
    endpoint({
      method: 'GET',
      path: '/auth/v1/keys',
      group: 'Login',
      summary: 'The public keys that access tokens are signed with (RFC 7517).',
      answer: Type.Object({ keys: Type.Array(Type.Record(Type.String(), Type.String())) }),
      cache: 'public, max-age=600',
      example: {},
      open: true,
      handle: () => ({ keys: tokens.publicKeys().keys.map((key) => ({ ...key })) as Record<string, string>[] }),
    }),
  ]
}

type TellParts = Pick<LoginParts, 'users' | 'shares' | 'deletions' | 'identities'>

/**
 * Says who somebody is, in the form of `userAnswer`.
 *
 * @throws Problem 401 `token` when there is no such user any more
 */
export async function tellUser({ users, shares, deletions, identities }: TellParts, id: string) {
  const user = await users.find(id)
  if (user === undefined) throw new Problem(401, 'token', 'This user is gone. Log in again.')
  const [accounts, deletionAt, elsewhere] = await Promise.all([
    shares.accounts(id),
    deletions.at(id),
    identities.find(id),
  ])
  return { ...user, social: elsewhere?.provider, userName: elsewhere?.userName, accounts: copied(accounts), deletionAt }
}

function begun(sessions: Sessions, who: { user: string; key: string }): Promise<SessionTokens> {
  return sessions.begin({ ...who, methods: ['email'] })
}

const copied = <item extends object>(items: readonly item[] | undefined): item[] | undefined =>
  items === undefined ? undefined : [...items]
