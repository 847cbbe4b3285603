import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMailbox, type LocalMailbox } from '@latchkey/devnet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { startServer, type RunningServer } from '../startServer.ts'
import { createTestDatabase } from '../testing/database.ts'
import { createLoginClient } from '../testing/loginClient.ts'

const projectId = 'ab'.repeat(16)
const email = 'ann@example.org'

let dir: string
let mailbox: LocalMailbox
const closers: Array<() => Promise<void>> = []

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'latchkey-login-'))
  mailbox = await startMailbox()
})

afterAll(async () => {
  for (const close of closers.toReversed()) await close()
  await mailbox.close()
  await rm(dir, { recursive: true, force: true })
})

async function start(environment: Readonly<Record<string, string>>): Promise<RunningServer> {
  const [auth, shares] = [await createTestDatabase(), await createTestDatabase()]
  const config = readConfig({
    PORT: '0',
    LIMITS: 'local',
    LOG_LEVEL: 'silent',
    DATA_DIR: dir,
    MAIL_URL: mailbox.smtpUrl,
    AUTH_DATABASE_URL: auth.url,
    SHARES_DATABASE_URL: shares.url,
    ...environment,
  })
  const server = await startServer(config)
  closers.push(auth.close, shares.close, server.close)
  return server
}

/** Requests the two mails of a new device: a code from the auth service and a link from the share store. */
async function requestBothServices(authUrl: string, sharesUrl: string): Promise<readonly number[]> {
  const request = { email, projectId, origin: 'http://localhost' }
  const auth = await createLoginClient(authUrl)
  const shares = await createLoginClient(sharesUrl, { twin: auth })
  const responses = [
    await auth.request('POST', '/auth/v1/codes', request),
    await shares.request('POST', '/shares/v1/links', { ...request, email: `b${email}` }),
  ]
  return responses.map(({ status }) => status)
}

describe('the services of the embedded wallet', () => {
  test('run in one process, each with its own database and keys [S-07]', { tags: 'faults' }, async () => {
    const { url } = await start({ SERVICES: 'auth,shares' })
    expect(await requestBothServices(url, url)).toEqual([200, 200])
  })

  test('run in two processes that share the public keys only [S-07]', { tags: 'faults' }, async () => {
    const auth = await start({ SERVICES: 'auth' })
    const shares = await start({ SERVICES: 'shares', AUTH_URL: auth.url })
    expect(await requestBothServices(auth.url, shares.url)).toEqual([200, 200])
    expect((await fetch(`${shares.url}/auth/v1/keys`)).status).toBe(404)
    expect((await fetch(`${auth.url}/shares/v1/device`)).status).toBe(404)
  })

  test(
    'mail an address again after the configured interval, without a client limit in local mode [R9.1.1]',
    { tags: 'faults' },
    async () => {
      const { url } = await start({ SERVICES: 'auth', MAIL_PAUSE_SECONDS: '3600' })
      const client = await createLoginClient(url)
      const sendRequest = async (to: string) =>
        client.request('POST', '/auth/v1/codes', { email: to, projectId, origin: 'http://localhost' })
      for (let count = 0; count < 21; count++) expect((await sendRequest(`ann${count}@example.org`)).status).toBe(200)
      const again = await sendRequest('ann0@example.org')
      expect(again.status).toBe(429)
      expect(Number(/(\d+) seconds/.exec(JSON.stringify(again))?.[1])).toBeGreaterThan(3_000)
    },
  )

  test('seal with a configured key plug-in [K-07]', async () => {
    const plugin = join(dir, 'keeper.mjs')
    const [sealed, unused] = [join(dir, 'sealed'), join(dir, 'unused.keys')]
    await writeFile(
      plugin,
      `import { writeFileSync } from 'node:fs'
       export default () => ({
         primary: 'far',
         seal: async (place, secret) => (writeFileSync(${JSON.stringify(sealed)}, place.table), Buffer.from(secret)),
         open: async (place, secret) => ({ secret: Buffer.from(secret), isOutdated: false }),
       })`,
    )
    await start({ SERVICES: 'auth', AUTH_KMS: plugin, AUTH_KEYS_FILE: unused })
    expect(await readFile(sealed, 'utf8')).toContain('auth')
    await expect(readFile(unused)).rejects.toThrow('ENOENT')
  })

  test('do not start with a key file that others may read, and leave it unchanged [K-07]', async () => {
    const file = join(dir, 'open.keys')
    await writeFile(file, `k1:${'ab'.repeat(32)}\n`)
    await chmod(file, 0o644)
    await expect(start({ SERVICES: 'auth', AUTH_KEYS_FILE: file })).rejects.toThrow('can be read by others')
  })
})
