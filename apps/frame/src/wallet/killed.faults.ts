import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { startMail, type LocalMail } from '@latchkey/devnet'
import { createRandom, startKillableServer, type KillableServer } from '@latchkey/faults'
import { createTestDatabase, openStolenDatabase, startTestPostgres } from '@latchkey/server/testing'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { WrappedRecoveryKey } from '../services/shareStore.ts'
import { startCustodyWorld } from '../testing/custodyWorld.ts'
import { createTestDevices, type TestDevice, type TestDevices } from '../testing/testDevices.ts'
import { interceptStores, type StoreCall } from '../testing/interceptStores.ts'
import { enterWallet } from '../worker/login/enterWallet.ts'
import { unlock, type KeyShareStores, type OpenWallet } from './enrol.ts'

/** Number of wallets per step and victim. The full measure is fifty. */
const seeds = Number(process.env['LATCHKEY_ENROL_SEEDS'] ?? 6)
/** Number of concurrent wallets, each at another point of its step. */
const atOnce = 10
const seed = Number(process.env['LATCHKEY_SEED'] ?? randomInt(2 ** 32))
const random = createRandom(seed)
/** Longest delays before a kill, in milliseconds: during the step, or during the rest of the creation on a busy machine. */
const longestDelays = [40, 600] as const
const mailPause = 1_100
const day = 86_400_000

const steps = ['shares.prepare', 'auth.prepare', 'device.write', 'auth.read', 'shares.commit', 'auth.commit'] as const
const victims = ['auth', 'shares', 'tab'] as const
type Step = (typeof steps)[number]

const keys = { auth: randomBytes(32), shares: randomBytes(32) }
const closers: Array<() => Promise<unknown>> = []
const figures = { seed, wallets: 0, kills: 0, announced: 0, recovered: 0, recreated: 0 }
/** One user of each round with the final wallet. */
const stored = new Map<string, OpenWallet>()

let mail: LocalMail
let devices: TestDevices
let processes: Record<'auth' | 'shares', KillableServer>
let databaseUrls: { auth: string; shares: string }
/** Aborts the requests of the killed tabs. */
let tabs = new AbortController()

beforeAll(async () => {
  const postgres = await startTestPostgres()
  process.env['LATCHKEY_TEST_DATABASE_URL'] = postgres.url
  mail = await startMail()
  closers.push(postgres.close, mail.close)
  databaseUrls = { auth: (await createTestDatabase()).url, shares: (await createTestDatabase()).url }
  const env = { MAIL_URL: mail.url, MAIL_PAUSE_SECONDS: '1', TRUSTED_PROXIES: '1' }
  const auth = await startKillableServer({
    services: 'auth',
    env: { ...env, AUTH_DATABASE_URL: databaseUrls.auth, AUTH_KEYS: `test:${keys.auth.toString('hex')}` },
  })
  closers.push(auth.close)
  const shares = await startKillableServer({
    services: 'shares',
    env: {
      ...env,
      AUTH_URL: auth.url,
      SHARES_DATABASE_URL: databaseUrls.shares,
      SHARES_KEYS: `test:${keys.shares.toString('hex')}`,
    },
  })
  closers.push(shares.close)
  processes = { auth, shares }
  const services = { authUrl: auth.url, sharesUrl: shares.url }
  devices = createTestDevices({ services, mail, now: () => Date.now(), beforeMail: async () => {} })
  proxyRequests()
})

afterAll(async () => {
  console.log(`K-12: ${JSON.stringify(figures)}`)
  vi.unstubAllGlobals()
  for (const close of closers.toReversed()) await close()
})

/** Acts as the proxy of the services: each request comes from another machine. */
function proxyRequests(): void {
  const reach = globalThis.fetch
  vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => {
    const machine = Array.from(randomBytes(3)).join('.')
    return reach(url, {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init.headers)), 'x-forwarded-for': `10.${machine}` },
      signal: AbortSignal.any([tabs.signal, ...(init.signal ? [init.signal] : [])]),
    })
  })
}

const getMethodKey =
  ({ shares }: TestDevice) =>
  async ({ method }: WrappedRecoveryKey) =>
    method === 'auto' ? shares.autoKey() : undefined

/** Opens the wallet like the frame after a login. */
async function enterTestWallet(device: TestDevice, stores: KeyShareStores = device): Promise<OpenWallet> {
  const isNew = device.accounts === undefined
  const opened = await enterWallet({ stores, getMethodKey: getMethodKey(device), isNew, now: () => Date.now() })
  return 'wallet' in opened ? opened.wallet : expect.fail('no wallet was opened')
}

/** Stops all callers at the same step until they are released. */
function createBarrier(step: Step, count: number) {
  const life = { isOver: false }
  let coming = count
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  let all = (): void => undefined
  const gathered = new Promise<void>((resolve) => (all = resolve))
  const arrive = (): void => {
    coming -= 1
    if (coming === 0) all()
  }
  const never = new Promise<never>(() => undefined)
  async function intercept(call: StoreCall): Promise<unknown> {
    if (call.step === step) {
      arrive()
      await opened
    }
    // A killed page runs no further code, not even cleanup.
    if (life.isOver) return never
    const outcome = await call.run().catch((error: unknown) => (life.isOver ? never : Promise.reject(error)))
    return life.isOver ? never : outcome
  }
  return {
    storesOf: (stores: KeyShareStores): KeyShareStores => interceptStores(stores, intercept),
    gathered,
    open,
    life,
  }
}

/** Kills the victim while all wallets are at the same step. */
async function runKillRound(step: Step, victim: (typeof victims)[number], count: number): Promise<void> {
  figures.wallets += count
  figures.kills += 1
  const domain = `${step.replace('.', '-')}-${victim}-${randomBytes(3).toString('hex')}.example.org`
  const emails = Array.from({ length: count }, (_, index) => `n${index}@${domain}`)
  const olds = await Promise.all(emails.map((email) => devices.fresh(email)))
  const since = performance.now()
  const gate = createBarrier(step, count)
  const making = olds.map((device) =>
    enterTestWallet(device, gate.storesOf(device)).then(
      (wallet) => wallet,
      () => undefined,
    ),
  )
  await gate.gathered
  gate.open()
  await sleep(random.between(0, longestDelays[random.between(0, 1)] ?? 0))
  let made: readonly (OpenWallet | undefined)[]
  if (victim === 'tab') {
    made = await Promise.all(making.map((one) => Promise.race([one, undefined])))
    gate.life.isOver = true
    tabs.abort()
    tabs = new AbortController()
  } else {
    expect(await processes[victim].end('SIGKILL')).toBe('SIGKILL')
    made = await Promise.all(making)
    await processes[victim].restart()
  }
  figures.announced += made.filter((wallet) => wallet !== undefined).length
  await sleep(Math.max(0, mailPause - (performance.now() - since)))

  const fresh = await Promise.all(emails.map((email) => devices.fresh(email)))
  for (const [index, device] of fresh.entries()) {
    const wallet = await enterTestWallet(device)
    const before = made[index]
    // An address that the frame or the auth service reported is final.
    if (before !== undefined) expect(wallet).toEqual(before)
    if (device.accounts !== undefined) expect(wallet.accounts).toEqual(device.accounts)
    expect(await unlock(device)).toEqual(wallet)
    // The interrupted device has the same wallet, or knows that it has none.
    const old = olds[index] ?? expect.fail('no device')
    const reopened = await unlock(old)
    if (reopened !== undefined) expect(reopened).toEqual(wallet)
    if (index === 0) stored.set(emails[index] ?? '', wallet)
    figures[device.accounts === undefined ? 'recreated' : 'recovered'] += 1
  }
}

describe('a wallet', () => {
  test.each(victims.flatMap((victim) => steps.map((step) => [victim, step] as const)))(
    'is recovered on a new device, or showed no address, if %s is killed during %s of its creation [K-12]',
    async (victim, step) => {
      expect(seeds).toBeGreaterThan(0)
      for (let left = seeds; left > 0; left -= atOnce) await runKillRound(step, victim, Math.min(left, atOnce))
    },
  )

  test('leaves no drafts of interrupted creations after their lifetime, and is still recovered [K-12]', async () => {
    await processes.auth.end('SIGKILL')
    await processes.shares.end('SIGKILL')
    const world = await startCustodyWorld({
      layout: 'split',
      databaseUrls,
      masterKeys: { auth: [{ id: 'test', key: keys.auth }], shares: [{ id: 'test', key: keys.shares }] },
    })
    const [auth, shares] = [await openStolenDatabase(databaseUrls.auth), await openStolenDatabase(databaseUrls.shares)]
    closers.push(world.close, auth.leave, shares.leave)
    const setsOf = async ({ run }: typeof auth, table: string) =>
      (await run(`select encode(set_id, 'hex') as id from ${table} order by id`)).map(({ id }) => id)

    world.pass(2 * day)
    await world.services.sweep()
    const drafts = async ({ run }: typeof auth, table: string) => run(`select from ${table} where live_at is null`)
    expect(await drafts(auth, 'auth_share')).toEqual([])
    expect(await drafts(shares, 'share_set')).toEqual([])
    expect(await drafts(shares, 'share_wrap')).toEqual([])

    // An enrolment committed at one service only expires after ninety unused days.
    world.pass(91 * day)
    await world.services.sweep()
    expect(await setsOf(auth, 'auth_share')).toEqual(await setsOf(shares, 'share_set'))
    expect(
      await shares.run(
        'select from share_wrap where not exists (select from share_wallet where share_wallet.wallet_id = share_wrap.wallet_id)',
      ),
    ).toEqual([])
    for (const [email, wallet] of stored) expect(await enterTestWallet(await world.fresh(email))).toEqual(wallet)

    // The kills interrupted creations before and after the wallet was announced.
    expect(figures.announced).toBeGreaterThan(0)
    expect(figures.recovered).toBeGreaterThan(0)
    expect(figures.recreated).toBeGreaterThan(0)
  })
})
