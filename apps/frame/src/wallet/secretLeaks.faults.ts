import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMail, type LocalMail } from '@latchkey/devnet'
import { startKillableServer, type KillableServer } from '@latchkey/faults'
import {
  createTestDatabase,
  openStolenDatabase,
  startTestPostgres,
  type KillablePostgres,
} from '@latchkey/server/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createPasswordKey } from '../custody/passwordKey.ts'
import { stretchWithArgon2 } from '../custody/stretchWithArgon2.ts'
import { createTestDevices, type TestDevice, type TestDevices } from '../testing/testDevices.ts'
import { createWallet } from './enrol.ts'

const services = ['auth', 'shares', 'api'] as const
type Service = (typeof services)[number]
/** A secret and the strings that would reveal it. A code counts only as a separate word. */
type Canary = { readonly name: string; readonly texts: readonly string[]; readonly isCode?: boolean }

const output: Record<Service, string> = { auth: '', shares: '', api: '' }
const responses: string[] = []
const canaries: Canary[] = []
const closers: Array<() => Promise<unknown>> = []
const mailPause = 1_100

let postgres: KillablePostgres
let mail: LocalMail
let devices: TestDevices
let folder: string
let processes: Record<Service, KillableServer>
let databaseUrls: Record<Service, string>

const bytesCanary = (name: string, bytes: Uint8Array): Canary => ({
  name,
  texts: [
    Buffer.from(bytes).toString('hex'),
    Buffer.from(bytes).toString('base64').replace(/=+$/, ''),
    Buffer.from(bytes).toString('base64url'),
    [...bytes].join(','),
    Buffer.from(bytes).toString('latin1'),
  ],
})

beforeAll(async () => {
  postgres = await startTestPostgres()
  process.env['LATCHKEY_TEST_DATABASE_URL'] = postgres.url
  mail = await startMail()
  folder = await mkdtemp(join(tmpdir(), 'latchkey-leaks-'))
  closers.push(() => rm(folder, { recursive: true, force: true }), postgres.close, mail.close)
  const [auth, shares, api] = [await createTestDatabase(), await createTestDatabase(), await createTestDatabase()]
  databaseUrls = { auth: auth.url, shares: shares.url, api: api.url }
  processes = await startProcesses()
  const at = { authUrl: processes.auth.url, sharesUrl: processes.shares.url }
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, mailPause))
  devices = createTestDevices({ services: at, mail, now: () => Date.now(), beforeMail: pause })
  vi.stubGlobal('fetch', recordingFetch(globalThis.fetch))
})

afterAll(async () => {
  vi.unstubAllGlobals()
  for (const close of closers.toReversed()) await close()
})

/** Starts each service as a process of its own, with verbose logs, heap snapshots and diagnostic reports. */
async function startProcesses(): Promise<Record<Service, KillableServer>> {
  const dump = '--heapsnapshot-signal=SIGUSR2 --report-on-signal --report-signal=SIGXFSZ'
  const clientSecret = randomBytes(24).toString('base64url')
  const signerKey = `0x${randomBytes(32).toString('hex')}`
  canaries.push({ name: 'a client secret', texts: [clientSecret] }, { name: 'a signer key', texts: [signerKey] })
  const socials = { google: { clientId: 'latchkey', clientSecret, issuer: 'http://127.0.0.1:1' } }
  const start = async (name: Service, env: Record<string, string>): Promise<KillableServer> => {
    const dir = join(folder, name)
    const server = await startKillableServer({
      services: name,
      env: {
        LOG_LEVEL: 'debug',
        DATA_DIR: dir,
        MAIL_URL: mail.url,
        MAIL_PAUSE_SECONDS: '1',
        SOCIALS: JSON.stringify(socials),
        NODE_OPTIONS: `${dump} --diagnostic-dir=${folder} --report-directory=${folder} --report-filename=${name}.json`,
        ...env,
      },
      onOutput: (text) => void (output[name] += text),
    })
    closers.push(server.close)
    return server
  }
  const auth = await start('auth', { AUTH_DATABASE_URL: databaseUrls.auth })
  const shares = await start('shares', { AUTH_URL: auth.url, SHARES_DATABASE_URL: databaseUrls.shares })
  const api = await start('api', { DATABASE_URL: databaseUrls.api, NAMES_SIGNER_KEY: signerKey })
  for (const name of ['auth', 'shares'] as const) {
    const [, digits = ''] = (await readFile(join(folder, name, `${name}.keys`), 'utf8')).trim().split(':')
    canaries.push(bytesCanary(`the master key of ${name}`, Buffer.from(digits, 'hex')))
  }
  return { auth, shares, api }
}

/** Records secrets of requests and responses as canaries, and the bodies of errors for the search. */
function recordingFetch(load: typeof fetch): typeof fetch {
  const secretField = /"(code|share|wrapped|accessToken|sharesToken|refreshToken|key|evaluated)":"([^"]{6,})"/g
  const record = (text: string): void => {
    for (const [, name = '', value = ''] of text.matchAll(secretField)) {
      canaries.push({ name: `the field ${name}`, texts: [value], isCode: value.length < 16 })
    }
  }
  return async (input, init) => {
    if (typeof init?.body === 'string') record(init.body)
    const response = await load(input, init)
    const text = await response.clone().text()
    if (response.ok) record(text)
    else responses.push(text)
    return response
  }
}

/** Creates a wallet with two recovery methods and uses every key share of it. */
async function useWallet(email: string): Promise<TestDevice> {
  const device = await devices.fresh(email)
  const password = `correct horse ${randomBytes(6).toString('hex')}`
  const auto = { id: 'auto', method: 'auto', key: await device.shares.autoKey(), facts: '{}' } as const
  const stretched = await createPasswordKey({
    password,
    evaluate: device.account.evaluate,
    stretch: stretchWithArgon2,
  })
  const byPassword = { id: 'password', method: 'password', ...stretched } as const
  canaries.push(bytesCanary('an automatic key', auto.key), bytesCanary('the key of a password', stretched.key), {
    name: 'a password',
    texts: [password],
  })
  const wallet = await createWallet(device, [auto, byPassword], Date.now())
  canaries.push(bytesCanary('the entropy of a wallet', wallet.entropy))
  await device.auth.own()
  await device.shares.find()
  const secrets = mail.received().flatMap(({ text }) => [...text.matchAll(/secret=([\w-]{20,})/g)])
  for (const [, secret = ''] of secrets) canaries.push({ name: 'the secret of a link', texts: [secret] })
  return device
}

/** Sends secrets where they don't belong, and collects the responses. */
async function sendInvalidRequests(
  { accessToken, sharesToken, refreshToken }: TestDevice,
  code: string,
): Promise<void> {
  const { auth, shares, api } = processes
  const get = (url: string, headers: Record<string, string> = {}): Promise<unknown> => fetch(url, { headers })
  const post = (url: string, body: string): Promise<unknown> => fetch(url, { method: 'POST', body })
  for (const { url } of [auth, shares, api]) {
    await get(`${url}/nowhere?token=${accessToken}&code=${code}`)
    await get(`${url}/nowhere`, {
      authorization: `DPoP ${accessToken}`,
      dpop: accessToken,
      'x-request-id': refreshToken,
    })
    await post(`${url}/nowhere`, refreshToken)
  }
  for (const path of ['/auth/v1/codes/redeem', '/auth/v1/tokens', '/auth/v1/shares']) {
    await post(`${auth.url}${path}`, `{"code":"${code}","refreshToken":"${refreshToken}"`)
    await post(
      `${auth.url}${path}`,
      JSON.stringify({ id: [refreshToken], email: { code }, code: [code], refreshToken: 7 }),
    )
    await get(`${auth.url}${path}`, { authorization: `Bearer ${accessToken}` })
  }
  for (const path of ['/shares/v1/sets', '/shares/v1/auto', '/shares/v1/links/state']) {
    await post(`${shares.url}${path}`, `{"share":"${sharesToken}`)
    await post(`${shares.url}${path}`, JSON.stringify({ share: { sharesToken }, id: [sharesToken] }))
    await get(`${shares.url}${path}`, { authorization: `DPoP ${sharesToken}`, dpop: sharesToken })
  }
  for (const path of ['/health', '/auth/v1/keys', '/shares/v1/keys', '/metrics', '/openapi.json']) {
    for (const { url } of [auth, shares, api]) responses.push(await (await fetch(url + path)).text())
  }
}

/** Makes the database refuse rows, whose contents PostgreSQL repeats in its errors, and then end. */
async function breakDatabases(device: TestDevice, email: string): Promise<void> {
  const failing: Array<() => Promise<unknown>> = [
    () => device.requests.auth('POST', '/auth/v1/tokens', { refreshToken: device.refreshToken }),
    () => device.shares.autoKey(),
    () => device.auth.own(),
    () => device.shares.find(),
    () => devices.login(`other-${email}`),
    () => useWallet(`third-${email}`),
  ]
  for (const name of ['auth', 'shares'] as const) {
    const thief = await openStolenDatabase(databaseUrls[name])
    const tables = await thief.run(`select tablename as name from pg_tables where schemaname = 'public'`)
    for (const { name: table } of tables) {
      await thief.run(`alter table "${String(table)}" add constraint refused check (false) not valid`)
    }
    await thief.leave()
  }
  const timeout = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 15_000))
  for (const act of failing) await Promise.race([act().catch(() => undefined), timeout()])
  await postgres.kill()
  for (const act of failing.slice(0, 4)) await Promise.race([act().catch(() => undefined), timeout()])
}

/** Returns the names of the canaries in a string. */
function findCanaries(text: string): readonly string[] {
  const isFound = ({ texts, isCode = false }: Canary): boolean =>
    texts.some((each) => (isCode ? new RegExp(`(?<![\\w.])${each}(?![\\w.])`).test(text) : text.includes(each)))
  return [...new Set(canaries.filter(isFound).map(({ name }) => name))]
}

/** Returns the new file that a process writes after a signal. */
async function dumpOf(service: Service, signal: 'SIGUSR2' | 'SIGXFSZ'): Promise<string> {
  const isDump = (name: string): boolean =>
    signal === 'SIGUSR2'
      ? name.endsWith('.heapsnapshot') && name.includes(`.${processes[service].pid}.`)
      : name === `${service}.json`
  process.kill(processes[service].pid, signal)
  const path = await vi.waitUntil(async () => (await readdir(folder)).find(isDump), { timeout: 60_000, interval: 200 })
  // The file is complete once it can be parsed.
  return vi.waitFor(
    async () => {
      const text = await readFile(join(folder, path), 'utf8')
      JSON.parse(text)
      return text
    },
    { timeout: 60_000, interval: 500 },
  )
}

/** Returns the strings in the memory of a process, without its source code. */
async function textsInMemory(service: Service): Promise<string> {
  const { strings } = JSON.parse(await dumpOf(service, 'SIGUSR2')) as { strings: readonly string[] }
  return strings.join('\n')
}

test('planted secrets appear in no log, error, health report, diagnostic report or memory of another service [S-04]', async () => {
  const email = `canary-${randomBytes(4).toString('hex')}@example.org`
  const device = await useWallet(email)
  const codes = mail.received().flatMap(({ text }) => /\b\d{6}\b/.exec(text) ?? [])
  await sendInvalidRequests(device, codes[0] ?? expect.fail('no code'))
  expect(canaries.length).toBeGreaterThan(20)
  expect(responses.length).toBeGreaterThan(30)
  expect(findCanaries(responses.join('\n'))).toEqual([])

  // The configuration of the service itself is found, which proves the search.
  expect(findCanaries(await textsInMemory('api')).toSorted()).toEqual(['a client secret', 'a signer key'])

  for (const service of services) {
    const { environmentVariables, ...report } = JSON.parse(await dumpOf(service, 'SIGXFSZ')) as Record<string, unknown>
    expect(environmentVariables).toBeDefined()
    expect(findCanaries(JSON.stringify(report))).toEqual([])
  }

  await breakDatabases(device, email)
  for (const service of services) expect([service, findCanaries(output[service])]).toEqual([service, []])
  expect(findCanaries(responses.join('\n'))).toEqual([])
  // The failures were logged, and the search finds what is there.
  expect(output.auth).toContain('a request failed')
  expect(output.shares).toContain('a request failed')
  expect(findCanaries(`${output.auth}${device.refreshToken}`)).toEqual(['the field refreshToken'])
})
