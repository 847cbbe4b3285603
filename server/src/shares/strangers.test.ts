import { randomBytes, randomUUID } from 'node:crypto'
import { startMail, type LocalMail } from '@latchkey/devnet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { socialProviders } from '../custody/identity/socialProviders.ts'
import { createLoginClient, type LoginClient } from '../testing/loginClient.ts'
import { startLoginServices, type LoginServices } from '../testing/loginServices.ts'
import { openStolenDatabase, type DatabaseThief } from '../testing/thief.ts'

const createCodeRequest = (email: string) => ({ email, projectId: 'ab'.repeat(16), origin: 'http://app.localhost' })
const randomBase64Url = (count: number): string => randomBytes(count).toString('base64url')
const createWrap = (id: string, method = id) => ({ id, method, wrapped: randomBase64Url(60), facts: '{}' })
const createDraft = (given: object = {}) => ({
  walletId: randomBase64Url(16),
  setId: randomBase64Url(16),
  epoch: 1,
  share: randomBase64Url(120),
  ...given,
})
const createFirstSet = (given: object = {}) =>
  createDraft({ vault: randomBase64Url(60), wraps: [createWrap('auto'), createWrap('password')], ...given })

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
async function logInUser(email: string): Promise<ProviderUser> {
  later += 31_000
  const auth = await createLoginClient(services.authUrl, { clock })
  let before = mail.received()[0]?.id ?? 0
  const { body } = await auth.request('POST', '/auth/v1/codes', createCodeRequest(email))
  const code = /\b\d{6}\b/.exec((await mail.waitFor(email, before)).text)?.[0] ?? expect.fail('no code')
  const redeemed = await auth.request('POST', '/auth/v1/codes/redeem', { id: body['id'], email, code })
  const { tokens, user } = redeemed.body as { tokens: { sharesToken: string }; user: { id: string } }
  const client = await createLoginClient(services.sharesUrl, { twin: auth, clock })
  client.use(tokens.sharesToken)
  before = mail.received()[0]?.id ?? 0
  const sent = (await client.request('POST', '/shares/v1/links', createCodeRequest(email))).body
  const { text } = await mail.waitFor(email, before)
  const link = new URL(/http:\/\/\S+/g.exec(text.split('open this page')[1] ?? '')?.[0] ?? expect.fail('no link'))
  const form = new URLSearchParams({ ...Object.fromEntries(link.searchParams), match: String(sent['match']) })
  await fetch(link.origin + link.pathname, { method: 'POST', body: form })
  return { client, user: user.id, link: String(sent['id']) }
}

const post = (client: LoginClient, path: string, body: object) => client.request('POST', `/shares/v1/${path}`, body)

async function enrolVictim(email: string) {
  const user = await logInUser(email)
  const set = createFirstSet()
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
const canExpire = (row: string): boolean =>
  /^share_(proof|link|identity|audit|challenge|deletion|policy_request) /.test(row)

const unsignedPolicy = {
  kind: 'policy',
  counter: 1,
  previous: 0,
  verifier: randomBase64Url(32),
  sealed: randomBase64Url(64),
  signature: randomBase64Url(64),
  certificate: randomBase64Url(64),
}

type Victim = {
  set: ReturnType<typeof createFirstSet>
  drafted: string
  link: string
  user: string
  key: string
  email: string
  request: string
}

/** Every request that a stranger can make with the ids of a victim, by path. */
function listAttacks(victim: Victim) {
  return {
    ...listWalletAttacks(victim),
    ...listAccountAttacks(victim),
    ...listDeviceAttacks(victim),
    ...listPolicyAttacks(victim),
  } satisfies Record<string, readonly object[]>
}

function listWalletAttacks({ set: { walletId, setId }, drafted, user }: Victim) {
  return {
    sets: [
      createFirstSet({ walletId, setId }),
      createFirstSet({ walletId }),
      createFirstSet({ walletId, epoch: 2 }),
      createFirstSet({ walletId, setId: drafted }),
      createDraft({ walletId }),
      createDraft({ walletId, wraps: [createWrap('auto')] }),
      createDraft({ walletId, setId }),
      createDraft({ setId: drafted }),
    ],
    'sets/read': [{ setId }, { setId: drafted }],
    'sets/commit': [{ setId }, { setId: drafted }],
    'sets/find': [{}, { except: [setId] }],
    'sets/remove': [{ setId }, { setId: drafted }, { setId: walletId }],
    'wallet/challenge': [{ user }],
    ways: [createWrap('auto'), createWrap('password'), { ...createWrap('auto'), walletId, setId, user }],
    'ways/list': [{ walletId, user }],
    auto: [{ user }],
  }
}

function listAccountAttacks({ email, user, link }: Victim) {
  return {
    contact: [{ email: 'mallory@example.net', current: email, user }],
    'contact/movable': [{ current: email, user }],
    'contact/stopped': [{ id: user, secret: randomBase64Url(32) }],
    adopt: [{ user }],
    'adopt/read': [{ user }],
    deletion: [{ user }],
    'deletion/cancel': [{ user }],
    links: [createCodeRequest(email)],
    'links/state': [{ id: link }],
    'social/begin': [{ ...createCodeRequest(email), provider: 'google' }],
    'social/redeem': [{ id: link, code: '00000000' }],
    ...Object.fromEntries(socialProviders.map((name) => [`social/${name}/callback`, [{ state: randomBase64Url(32) }]])),
    'farcaster/begin': [createCodeRequest(email)],
    'identity/farcaster': [
      { message: user, signature: '0x00', challenge: randomBase64Url(32), authChallenge: randomBase64Url(32) },
    ],
  }
}

function listDeviceAttacks({ user, key, link }: Victim) {
  return {
    'devices/state': [{ user }],
    'devices/list': [{ user }],
    'devices/remove': [{ key, user }],
    'devices/waiting': [{ user }],
    'devices/approve': [{ id: link, match: '10' }],
    'devices/stop': [{ id: link }],
    passkeys: [{ id: randomBase64Url(20), publicKey: randomBase64Url(91), user }],
    'devices/passkey/challenge': [{ user }],
    'devices/passkey': [
      {
        id: randomBase64Url(20),
        authenticatorData: randomBase64Url(37),
        clientDataJSON: randomBase64Url(100),
        signature: randomBase64Url(70),
        user,
      },
    ],
    device: [{ id: link, secret: randomBase64Url(32), match: '10' }],
  }
}

function listPolicyAttacks({ user, request }: Victim) {
  return {
    'policy/read': [{ user }],
    'policy/write': [
      { ...unsignedPolicy, user },
      { ...unsignedPolicy, previous: 1, counter: 2 },
    ],
    'policy/requests': [{ id: request, sealed: randomBase64Url(32) }],
    'policy/requests/read': [{ id: request }],
    'policy/requests/list': [{ user }],
    'policy/requests/decide': [{ id: request, decision: '{}' }],
  }
}

async function attack({ client }: ProviderUser, requests: ReturnType<typeof listAttacks>): Promise<number[]> {
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
      const victim = await enrolVictim(email)
      const phone = await logInUser(email)
      const second = createDraft({ walletId: victim.set.walletId })
      expect(await post(phone.client, 'sets', second)).toMatchObject({ status: 200 })
      const request = randomUUID()
      expect(await post(victim.client, 'policy/requests', { id: request, sealed: randomBase64Url(32) })).toMatchObject({
        status: 200,
      })
      const before = await dump()

      const stranger = await (kind === 'with a wallet' ? enrolVictim : logInUser)(`stranger-${name}@example.org`)
      const requests = listAttacks({
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
      const lost = draftsBefore.filter((row) => !canExpire(row) && !row.includes(stranger.user) && !left.has(row))
      expect(lost).toEqual([])
      const kept = await database.run(`select from share_deletion where user_id = '${stranger.user}'`)
      expect(kept).toEqual([])
    },
  )
})
