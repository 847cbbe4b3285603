import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { startMail, type LocalMail } from '@latchkey/devnet'
import { createRandom, startServerProcess, type ServerProcess } from '@latchkey/faults'
import { createTestDatabase, letThiefIn, startTestPostgres } from '@latchkey/server/testing'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { KeptWrap } from '../services/services.ts'
import { startCustodyWorld } from '../testing/custodyWorld.ts'
import { createTestDevices, type TestDevice, type TestDevices } from '../testing/testDevices.ts'
import { enterWallet } from '../worker/entering.ts'
import { unlock, type Keepers, type OpenWallet } from './enrol.ts'

/** Wallets that are made while something is killed, for each step and each victim: fifty are the full measure. */
const seeds = Number(process.env['LATCHKEY_ENROL_SEEDS'] ?? 6)
/** So many are made at the same moment, each somewhere else in its step when it comes. */
const atOnce = 10
const seed = Number(process.env['LATCHKEY_SEED'] ?? randomInt(2 ** 32))
const random = createRandom(seed)
const longestRequest = 40
const mailPause = 1_100
const day = 86_400_000

const steps = ['shares.prepare', 'auth.prepare', 'device.write', 'auth.read', 'shares.commit', 'auth.commit'] as const
const victims = ['auth', 'shares', 'tab'] as const
type Step = (typeof steps)[number]

const keys = { auth: randomBytes(32), shares: randomBytes(32) }
const closers: Array<() => Promise<unknown>> = []
const figures = { seed, wallets: 0, kills: 0, announced: 0, recovered: 0, madeAnew: 0 }
/** One visitor of each round, and the wallet that he has in the end. */
const kept = new Map<string, OpenWallet>()

let mail: LocalMail
let devices: TestDevices
let processes: Record<'auth' | 'shares', ServerProcess>
let databaseUrls: { auth: string; shares: string }
/** What tears the requests of the tabs that are killed. */
let tabs = new AbortController()

beforeAll(async () => {
  const postgres = await startTestPostgres()
  process.env['LATCHKEY_TEST_DATABASE_URL'] = postgres.url
  mail = await startMail()
  closers.push(postgres.close, mail.close)
  databaseUrls = { auth: (await createTestDatabase()).url, shares: (await createTestDatabase()).url }
  const env = { MAIL_URL: mail.url, MAIL_PAUSE_SECONDS: '1', TRUSTED_PROXIES: '1' }
  const auth = await startServerProcess({
    services: 'auth',
    env: { ...env, AUTH_DATABASE_URL: databaseUrls.auth, AUTH_KEYS: `test:${keys.auth.toString('hex')}` },
  })
  closers.push(auth.close)
  const shares = await startServerProcess({
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
  standInFrontOf()
})

afterAll(async () => {
  console.log(`K-12: ${JSON.stringify(figures)}`)
  vi.unstubAllGlobals()
  for (const close of closers.toReversed()) await close()
})

/** Stands for the proxy in front of the services: to them, each request is of a machine of its own. */
function standInFrontOf(): void {
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

const wayOf =
  ({ shares }: TestDevice) =>
  async ({ method }: KeptWrap) =>
    method === 'auto' ? shares.autoKey() : undefined

/** Opens the wallet as the frame does after a login. */
async function enter(device: TestDevice, keepers: Keepers = device): Promise<OpenWallet> {
  const isNew = device.accounts === undefined
  const opened = await enterWallet({ keepers, wayOf: wayOf(device), isNew, now: () => Date.now() })
  return 'wallet' in opened ? opened.wallet : expect.fail('no wallet was opened')
}

/** Lets everybody who comes to the same step wait for the others. */
function gatherAt(step: Step, count: number) {
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
  const watch = <keeper extends object>(name: string, keeper: keeper): keeper =>
    new Proxy(keeper, {
      get(target, method) {
        const verb: unknown = Reflect.get(target, method)
        if (typeof verb !== 'function') return verb
        return async (...args: unknown[]) => {
          if (`${name}.${String(method)}` === step) {
            arrive()
            await opened
          }
          // Nothing of a page that was killed goes on: it does not even clear up.
          if (life.isOver) return never
          const outcome: unknown = await Reflect.apply(verb, target, args).catch((error: unknown) =>
            life.isOver ? never : Promise.reject(error),
          )
          return life.isOver ? never : outcome
        }
      },
    })
  return {
    keepersOf: ({ auth, shares, device }: Keepers): Keepers => ({
      auth: watch('auth', auth),
      shares: watch('shares', shares),
      device: watch('device', device),
    }),
    gathered,
    open,
    life,
  }
}

/** Kills the victim in the middle of a step of everybody. */
async function round(step: Step, victim: (typeof victims)[number], count: number): Promise<void> {
  figures.wallets += count
  figures.kills += 1
  const domain = `${step.replace('.', '-')}-${victim}-${randomBytes(3).toString('hex')}.example.org`
  const emails = Array.from({ length: count }, (_, index) => `n${index}@${domain}`)
  const olds = await Promise.all(emails.map((email) => devices.fresh(email)))
  const since = performance.now()
  const gate = gatherAt(step, count)
  const making = olds.map((device) =>
    enter(device, gate.keepersOf(device)).then(
      (wallet) => wallet,
      () => undefined,
    ),
  )
  await gate.gathered
  gate.open()
  await sleep(random.between(0, longestRequest))
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
    const wallet = await enter(device)
    const before = made[index]
    // An address that anybody was told, by the frame or by the auth service, is the wallet's for good.
    if (before !== undefined) expect(wallet).toEqual(before)
    if (device.accounts !== undefined) expect(wallet.accounts).toEqual(device.accounts)
    expect(await unlock(device)).toEqual(wallet)
    // The device that it happened to has the same wallet, or knows that it has none.
    const old = olds[index] ?? expect.fail('no device')
    const reopened = await unlock(old)
    if (reopened !== undefined) expect(reopened).toEqual(wallet)
    if (index === 0) kept.set(emails[index] ?? '', wallet)
    figures[device.accounts === undefined ? 'madeAnew' : 'recovered'] += 1
  }
}

describe('a wallet', () => {
  test.each(victims.flatMap((victim) => steps.map((step) => [victim, step] as const)))(
    'in the making of which %s is killed in the middle of %s is recovered on a fresh device, or nobody was told an address [K-12]',
    async (victim, step) => {
      expect(seeds).toBeGreaterThan(0)
      for (let left = seeds; left > 0; left -= atOnce) await round(step, victim, Math.min(left, atOnce))
    },
  )

  test('has no parts left of those that were killed, once the time of drafts is over, and is recovered still [K-12]', async () => {
    await processes.auth.end('SIGKILL')
    await processes.shares.end('SIGKILL')
    const world = await startCustodyWorld({
      layout: 'split',
      databaseUrls,
      masterKeys: { auth: [{ id: 'test', key: keys.auth }], shares: [{ id: 'test', key: keys.shares }] },
    })
    const [auth, shares] = [await letThiefIn(databaseUrls.auth), await letThiefIn(databaseUrls.shares)]
    closers.push(world.close, auth.leave, shares.leave)
    const setsOf = async ({ run }: typeof auth, table: string) =>
      (await run(`select encode(set_id, 'hex') as id from ${table} order by id`)).map(({ id }) => id)

    world.pass(2 * day)
    await world.services.sweep()
    const drafts = async ({ run }: typeof auth, table: string) => run(`select from ${table} where live_at is null`)
    expect(await drafts(auth, 'auth_share')).toEqual([])
    expect(await drafts(shares, 'share_set')).toEqual([])
    expect(await drafts(shares, 'share_wrap')).toEqual([])

    // What counts at one of them alone goes when nobody used it for ninety days.
    world.pass(90 * day)
    await world.services.sweep()
    expect(await setsOf(auth, 'auth_share')).toEqual(await setsOf(shares, 'share_set'))
    expect(
      await shares.run(
        'select from share_wrap where not exists (select from share_wallet where share_wallet.wallet_id = share_wrap.wallet_id)',
      ),
    ).toEqual([])
    for (const [email, wallet] of kept) expect(await enter(await world.fresh(email))).toEqual(wallet)
  })
})
