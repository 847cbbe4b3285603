import { randomBytes, randomUUID } from 'node:crypto'
import { startMail, type LocalMail } from '@latchkey/devnet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { socialProviders } from '../custody/identity/socialProviders.ts'
import { createLoginClient, type LoginClient } from '../testing/loginClient.ts'
import { startLoginServices, type LoginServices } from '../testing/loginServices.ts'
import { openStolenDatabase, type DatabaseThief } from '../testing/thief.ts'

const asking = (email: string) => ({ email, projectId: 'ab'.repeat(16), origin: 'http://app.localhost' })
const bytes = (count: number): string => randomBytes(count).toString('base64url')
const wrap = (id: string, method = id) => ({ id, method, wrapped: bytes(60), facts: '{}' })
const draft = (given: object = {}) => ({ walletId: bytes(16), setId: bytes(16), epoch: 1, share: bytes(120), ...given })
const first = (given: object = {}) => draft({ vault: bytes(60), wraps: [wrap('auto'), wrap('password')], ...given })

let mail: LocalMail
let services: LoginServices
let database: DatabaseThief
let later = 0
const clock = { now: () => Date.now() + later }
const routes = new Set<string>()

beforeAll(async () => {
  mail = await startMail()
  services = await startLoginServices({
    mailUrl: mail.url,
    layout: 'split',
    clock,
    onRoute: (path) => void (path.startsWith('/shares/') && routes.add(path)),
  })
  database = await openStolenDatabase(services.sharesDatabaseUrl)
})
afterAll(async () => {
  await database.leave()
  await services.close()
  await mail.close()
})

type ProviderUser = { client: LoginClient; user: string; link: string }

/** Logs in and approves the device by mail. */
async function enter(email: string): Promise<ProviderUser> {
  later += 31_000
  const auth = await createLoginClient(services.authUrl, { clock })
  let before = mail.received()[0]?.id ?? 0
  const { body } = await auth.request('POST', '/auth/v1/codes', asking(email))
  const code = /\b\d{6}\b/.exec((await mail.waitFor(email, before)).text)?.[0] ?? expect.fail('no code')
  const redeemed = await auth.request('POST', '/auth/v1/codes/redeem', { id: body['id'], email, code })
  const { tokens, user } = redeemed.body as { tokens: { sharesToken: string }; user: { id: string } }
  const client = await createLoginClient(services.sharesUrl, { twin: auth, clock })
  client.use(tokens.sharesToken)
  before = mail.received()[0]?.id ?? 0
  const sent = (await client.request('POST', '/shares/v1/links', asking(email))).body
  const { text } = await mail.waitFor(email, before)
  const link = new URL(/http:\/\/\S+/g.exec(text.split('open this page')[1] ?? '')?.[0] ?? expect.fail('no link'))
  const form = new URLSearchParams({ ...Object.fromEntries(link.searchParams), match: String(sent['match']) })
  await fetch(link.origin + link.pathname, { method: 'POST', body: form })
  return { client, user: user.id, link: String(sent['id']) }
}

const post = (client: LoginClient, path: string, body: object) => client.request('POST', `/shares/v1/${path}`, body)

async function enrolled(email: string) {
  const user = await enter(email)
  const set = first()
  expect(await post(user.client, 'sets', set)).toMatchObject({ status: 200 })
  expect(await post(user.client, 'sets/commit', { setId: set.setId })).toMatchObject({ status: 200 })
  return { ...user, set }
}

/** Returns all rows of the share store, each with the name of its table. */
async function dump(): Promise<readonly string[]> {
  const tables = await database.run(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename like 'share\\_%'`,
  )
  const rows = await Promise.all(
    tables.map(async ({ name }) =>
      (await database.run(`select t::text as row from "${String(name)}" as t`)).map(
        ({ row }) => `${String(name)} ${String(row)}`,
      ),
    ),
  )
  return rows.flat()
}
/** Rows that expire within three days by themselves. */
const expires = (row: string): boolean =>
  /^share_(proof|link|identity|audit|challenge|deletion|policy_request) /.test(row)

const unsignedPolicy = {
  kind: 'policy',
  counter: 1,
  previous: 0,
  verifier: bytes(32),
  sealed: bytes(64),
  signature: bytes(64),
  certificate: bytes(64),
}

/** Every request that a stranger can make with the ids of a victim, by path. */
function attacks(victim: {
  set: ReturnType<typeof first>
  drafted: string
  link: string
  user: string
  key: string
  email: string
  request: string
}) {
  const { walletId, setId } = victim.set
  const page = { id: victim.link, secret: bytes(32), match: '10' }
  return {
    sets: [
      first({ walletId, setId }),
      first({ walletId }),
      first({ walletId, epoch: 2 }),
      first({ walletId, setId: victim.drafted }),
      draft({ walletId }),
      draft({ walletId, wraps: [wrap('auto')] }),
      draft({ walletId, setId }),
      draft({ setId: victim.drafted }),
    ],
    'sets/read': [{ setId }, { setId: victim.drafted }],
    'sets/commit': [{ setId }, { setId: victim.drafted }],
    'sets/find': [{}, { except: [setId] }],
    'sets/remove': [{ setId }, { setId: victim.drafted }, { setId: walletId }],
    'wallet/challenge': [{ user: victim.user }],
    ways: [wrap('auto'), wrap('password'), { ...wrap('auto'), walletId, setId, user: victim.user }],
    'ways/list': [{ walletId, user: victim.user }],
    auto: [{ user: victim.user }],
    contact: [{ email: 'mallory@example.net', current: victim.email, user: victim.user }],
    'contact/movable': [{ current: victim.email, user: victim.user }],
    'contact/stopped': [{ id: victim.user, secret: page.secret }],
    adopt: [{ user: victim.user }],
    deletion: [{ user: victim.user }],
    'deletion/cancel': [{ user: victim.user }],
    links: [asking(victim.email)],
    'links/state': [{ id: victim.link }],
    'social/begin': [{ ...asking(victim.email), provider: 'google' }],
    'social/redeem': [{ id: victim.link, code: '00000000' }],
    ...Object.fromEntries(socialProviders.map((name) => [`social/${name}/callback`, [{ state: bytes(32) }]])),
    'farcaster/begin': [asking(victim.email)],
    'identity/farcaster': [{ message: victim.user, signature: '0x00', challenge: bytes(32), authChallenge: bytes(32) }],
    'devices/state': [{ user: victim.user }],
    'devices/list': [{ user: victim.user }],
    'devices/remove': [{ key: victim.key, user: victim.user }],
    'devices/waiting': [{ user: victim.user }],
    'devices/approve': [{ id: victim.link, match: '10' }],
    'devices/stop': [{ id: victim.link }],
    passkeys: [{ id: bytes(20), publicKey: bytes(91), user: victim.user }],
    'devices/passkey/challenge': [{ user: victim.user }],
    'devices/passkey': [
      {
        id: bytes(20),
        authenticatorData: bytes(37),
        clientDataJSON: bytes(100),
        signature: bytes(70),
        user: victim.user,
      },
    ],
    'policy/read': [{ user: victim.user }],
    'policy/write': [
      { ...unsignedPolicy, user: victim.user },
      { ...unsignedPolicy, previous: 1, counter: 2 },
    ],
    'policy/requests': [{ id: victim.request, sealed: bytes(32) }],
    'policy/requests/read': [{ id: victim.request }],
    'policy/requests/list': [{ user: victim.user }],
    'policy/requests/decide': [{ id: victim.request, decision: '{}' }],
    device: [page],
  } satisfies Record<string, readonly object[]>
}

async function attack({ client }: ProviderUser, requests: ReturnType<typeof attacks>): Promise<number[]> {
  const statuses: number[] = []
  for (const [path, bodies] of Object.entries(requests)) {
    for (const body of bodies) {
      if (path === 'device' || path === 'contact/stopped') {
        const form = { method: 'POST', body: new URLSearchParams(Object.entries(body)) }
        statuses.push((await fetch(`${services.sharesUrl}/shares/v1/${path}`, form)).status)
      } else {
        statuses.push((await post(client, path, body)).status)
      }
      // A draft that was accepted may name the victim's wallet: try to use it.
      if (path === 'sets' && 'setId' in body) {
        for (const step of ['sets/read', 'sets/commit']) {
          statuses.push((await post(client, step, { setId: body.setId })).status)
        }
      }
    }
  }
  return statuses
}

describe('a stranger with all ids of a victim', () => {
  test.each(['without a wallet', 'with a wallet'])(
    '%s changes no row of the victim at any endpoint [D-01]',
    async (kind) => {
      const name = kind.replaceAll(' ', '-')
      const email = `victim-${name}@example.org`
      const victim = await enrolled(email)
      const phone = await enter(email)
      const second = draft({ walletId: victim.set.walletId })
      expect(await post(phone.client, 'sets', second)).toMatchObject({ status: 200 })
      const request = randomUUID()
      expect(await post(victim.client, 'policy/requests', { id: request, sealed: bytes(32) })).toMatchObject({
        status: 200,
      })
      const before = await dump()

      const stranger = await (kind === 'with a wallet' ? enrolled : enter)(`stranger-${name}@example.org`)
      const requests = attacks({
        ...victim,
        key: victim.client.key,
        link: phone.link,
        drafted: second.setId,
        email,
        request,
      })
      expect(
        Object.keys(requests)
          .map((path) => `/shares/v1/${path}`)
          .toSorted(),
      ).toEqual([...routes].toSorted())
      const statuses = await attack(stranger, requests)
      expect(statuses.filter((status) => status >= 500 && status !== 503)).toEqual([])

      const after = await dump()
      const now = new Set(after)
      expect(before.filter((row) => !now.has(row))).toEqual([])
      const old = new Set(before)
      const added = after.filter((row) => !old.has(row))
      expect(added.filter((row) => row.includes(victim.user) || row.includes(victim.client.key))).toEqual([])

      // The stranger deletes its own account, and holds drafts of the victim's wallet until then.
      const at = clock.now() + 3 * 86_400_000
      await database.run(`
      insert into share_deletion (user_id, at) values ('${stranger.user}', ${at}) on conflict do nothing`)
      later += 3 * 86_400_000 - 60_000
      await database.run(`update share_set set created_at = ${clock.now()} where user_id <> '${victim.user}'`)
      await services.sweep()
      const draftsBefore = await dump()
      later += 120_000
      await services.sweep()
      const left = new Set(await dump())
      expect(left.size).toBeLessThan(draftsBefore.length)
      const lost = draftsBefore.filter((row) => !expires(row) && !row.includes(stranger.user) && !left.has(row))
      expect(lost).toEqual([])
      const kept = await database.run(`select from share_deletion where user_id = '${stranger.user}'`)
      expect(kept).toEqual([])
    },
  )
})
