import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createProject } from './createProject.ts'

const user = privateKeyToAccount(`0x${'22'.repeat(32)}`)
/** A folder of this package, so that the projects find its dependencies. Git ignores it. */
const parent = fileURLToPath(new URL('../../.latchkey/', import.meta.url))
const day = 86_400_000

type Options = { signed?: Partial<Parameters<typeof createSiweMessage>[0]>; alter?: (message: string) => string }
type Signed = { sessions: { message: string; signature: string }[] }

/** A browser as far as the server sees it: it keeps the cookies of the responses. */
function createBrowser(url: string) {
  const cookies = new Map<string, string>()
  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = new Headers({ cookie })
    if (init.body !== undefined) headers.set('content-type', 'application/json')
    const response = await fetch(url + path, { ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
  async function createNonce(): Promise<string> {
    const { nonce }: { nonce: string } = JSON.parse(await (await request('/api/sign-in/nonce')).text())
    return nonce
  }
  async function sign({ signed = {}, alter = (message) => message }: Options = {}): Promise<Signed> {
    const nonce = signed.nonce ?? (await createNonce())
    const { host: domain } = new URL(url)
    const usual = { address: user.address, chainId: 1, domain, uri: url, version: '1', issuedAt: new Date() } as const
    const message = createSiweMessage({ ...usual, ...signed, nonce })
    return { sessions: [{ message: alter(message), signature: await user.signMessage({ message }) }] }
  }
  const verify = (body: unknown): Promise<Response> =>
    request('/api/sign-in/verify', { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) })
  const signIn = async (options?: Options): Promise<Response> => verify(await sign(options))
  const greet = (): Promise<Response> => request('/api/greeting')
  return { cookies, request, createNonce, sign, verify, signIn, greet }
}

/** The status and the reason of a response that refuses a request. */
async function refusalOf(response: Promise<Response>): Promise<string> {
  const { reason }: { reason: string } = JSON.parse(await (await response).text())
  return `${(await response).status} ${reason}`
}

describe.each(['express', 'fastify', 'hono'])('the sign-in server of the template %s', (template) => {
  let folder: string
  let url: string
  const server = createServer()

  /** Imports the server with another configuration, which it reads from the environment. */
  async function importServer(name: string, env: Record<string, string>): Promise<RequestListener> {
    for (const [key, value] of Object.entries(env)) vi.stubEnv(key, value)
    const path = await createProject({ folder: join(folder, name), template })
    const { handle }: { handle: RequestListener } = await import(join(path, 'server/app.ts'))
    vi.unstubAllEnvs()
    return handle
  }

  beforeAll(async () => {
    await mkdir(parent, { recursive: true })
    folder = await mkdtemp(join(parent, 'servers-'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    // A TCP server that listens always has an address of this form.
    const { port } = server.address() as AddressInfo
    url = `http://127.0.0.1:${port}`
    server.on('request', await importServer('plain', { ORIGIN: url }))
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await rm(folder, { recursive: true })
  })

  test('signs a user in and out', async () => {
    const browser = createBrowser(url)
    expect(await refusalOf(browser.greet())).toBe('401 not-signed-in')
    const response = await browser.signIn()
    expect(response.status).toBe(200)
    expect(response.headers.getSetCookie().at(-1)).toMatch(/^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await (await browser.greet()).text()).toBe(`Signed in as ${user.address}`)
    const session = await (await browser.request('/api/sign-in/session')).json()
    expect(session).toMatchObject({ sessions: [{ data: { accountAddress: user.address, chainId: 'eip155:1' } }] })
    expect((await browser.request('/api/sign-in/session', { method: 'DELETE' })).status).toBe(204)
    expect(await refusalOf(browser.greet())).toBe('401 not-signed-in')
  })

  test('ends the session of one chain, and keeps the others of the account', async () => {
    const browser = createBrowser(url)
    await browser.signIn()
    const oldCookies = new Map(browser.cookies)
    await browser.signIn({ signed: { chainId: 11_155_111 } })
    const chains = async (): Promise<string[]> => {
      const { sessions }: { sessions: { data: { chainId: string } }[] } = JSON.parse(
        await (await browser.request('/api/sign-in/session')).text(),
      )
      return sessions.map(({ data }) => data.chainId)
    }
    expect(await chains()).toEqual(['eip155:1', 'eip155:11155111'])
    const query = new URLSearchParams({ chainId: 'eip155:1', accountAddress: user.address })
    await browser.request(`/api/sign-in/session?${query.toString()}`, { method: 'DELETE' })
    expect(await chains()).toEqual(['eip155:11155111'])
    for (const [name, value] of oldCookies) browser.cookies.set(name, value)
    expect(await refusalOf(browser.greet())).toBe('401 not-signed-in')
  })

  test('accepts a nonce once, even from simultaneous requests', async () => {
    const browser = createBrowser(url)
    const body = await browser.sign()
    const cookies = new Map(browser.cookies)
    const statuses = (await Promise.all([browser.verify(body), browser.verify(body)])).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 401])
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    expect(await refusalOf(browser.verify(body))).toBe('401 wrong-nonce')
  })

  test('refuses a sign-in for another domain, chain or text than the signed one', async () => {
    const browser = createBrowser(url)
    expect(await refusalOf(browser.signIn({ signed: { domain: 'evil.example' } }))).toBe('401 wrong-domain')
    expect(await refusalOf(browser.signIn({ signed: { uri: 'https://evil.example/' } }))).toBe('401 wrong-uri')
    expect(await refusalOf(browser.signIn({ signed: { chainId: 10 } }))).toBe('401 wrong-chain')
    const alter = (message: string): string => message.replace('Chain ID: 1\n', 'Chain ID: 11155111\n')
    expect(await refusalOf(browser.signIn({ alter }))).toBe('401 wrong-signature')
    expect(await refusalOf(browser.greet())).toBe('401 not-signed-in')
  })

  test('refuses a sign-in without the cookie of its nonce', async () => {
    const browser = createBrowser(url)
    const body = await browser.sign()
    expect(await refusalOf(createBrowser(url).verify(body))).toBe('401 wrong-nonce')
    const attacker = createBrowser(url)
    await attacker.createNonce()
    expect(await refusalOf(attacker.verify(body))).toBe('401 wrong-nonce')
    expect((await browser.verify(body)).status).toBe(200)
    expect(await refusalOf(createBrowser(url).greet())).toBe('401 not-signed-in')
  })

  test('refuses a nonce that it did not create, an old nonce and an old session', async () => {
    onTestFinished(() => void vi.useRealTimers())
    vi.useFakeTimers({ toFake: ['Date'] })
    const browser = createBrowser(url)
    browser.cookies.set('nonce', 'a'.repeat(32))
    expect(await refusalOf(browser.signIn({ signed: { nonce: 'a'.repeat(32) } }))).toBe('401 wrong-nonce')
    const nonce = await browser.createNonce()
    vi.setSystemTime(Date.now() + 5 * 60_000)
    expect(await refusalOf(browser.signIn({ signed: { nonce } }))).toBe('401 wrong-nonce')
    await browser.signIn()
    expect((await browser.greet()).status).toBe(200)
    vi.setSystemTime(Date.now() + day)
    expect(await refusalOf(browser.greet())).toBe('401 not-signed-in')
    await browser.signIn({ signed: { expirationTime: new Date(Date.now() + 60_000) } })
    vi.setSystemTime(Date.now() + 60_000)
    expect(await refusalOf(browser.greet())).toBe('401 not-signed-in')
  })

  test('refuses malformed bodies', async () => {
    const browser = createBrowser(url)
    const { sessions } = await browser.sign()
    const many = { sessions: Array.from({ length: 11 }, () => sessions[0]) }
    for (const body of [
      null,
      1,
      [],
      {},
      { sessions: [] },
      { sessions: [null] },
      { sessions: [{ message: 1 }] },
      many,
    ]) {
      await browser.createNonce()
      expect((await browser.verify(body)).ok).toBe(false)
    }
    for (const body of ['{', ' '.repeat(100_000)]) {
      await browser.createNonce()
      const response = await browser.verify(body)
      expect([400, 401, 413]).toContain(response.status)
      expect(await response.text()).not.toContain('node_modules')
    }
    expect(await refusalOf(browser.greet())).toBe('401 not-signed-in')
  })

  test('sends cookies for HTTPS and its own host only, if its origin has HTTPS', async () => {
    const secure = createServer(await importServer('secure', { ORIGIN: 'https://app.example' }))
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void secure.close())
    // A TCP server that listens always has an address of this form.
    const { port } = secure.address() as AddressInfo
    const response = await createBrowser(`http://127.0.0.1:${port}`).request('/api/sign-in/nonce')
    const [cookie] = response.headers.getSetCookie()
    expect(cookie).toMatch(/^__Host-nonce=[\da-f]{32}; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
  })
})

test('the store of the sign-in servers deletes its oldest entries above its capacity', async () => {
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, 'store-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = await createProject({ folder: join(folder, 'app'), template: 'hono' })
  const { createStore } = await import(join(path, 'server/createStore.ts'))
  const store = createStore({ lifetimeMs: day, capacity: 2 })
  for (const key of ['a', 'b', 'c']) store.set(key, key)
  expect(['a', 'b', 'c'].map((key) => store.get(key))).toEqual([undefined, 'b', 'c'])
})
