import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { recoverMessageAddress, toHex } from 'viem'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { toBase64url } from '../services/toBase64url.ts'
import { createMemoryStores } from '../testing/memoryStores.ts'
import { openTestHolder } from '../testing/openTestHolder.ts'
import { trackCopiesOf } from '../testing/trackCopies.ts'
import { createWallet } from '../wallet/enrol.ts'
import type { HolderUser } from './keyHolder.ts'
import { createSession } from './login/session.ts'
import { openDevice } from './storage/device.ts'
import { createMemoryStore } from './storage/holderStore.ts'
import { createWalletRecords } from './storage/walletRecords.ts'

// The key holder of a browser that is logged in. Both services are in memory.

const now = 1_800_000_000_000
const urls = { authUrl: 'https://auth.example', sharesUrl: 'https://shares.example' }
const methodKey = new Uint8Array(32).fill(7)
const unauthorised = { status: 401, field: 'token' }
const refuse = (status: number, field: string) => ({ status, body: { reasons: [{ field, description: 'No.' }] } })

type TestResponse = { readonly status?: number; readonly body: object }

/** Services that respond by path, and record paths and languages. */
function startServices(responses: Readonly<Record<string, TestResponse | Error>>) {
  const paths: string[] = []
  const languages: Array<string | null> = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const path = new URL(url).pathname
    paths.push(path)
    languages.push(new Headers(init.headers).get('accept-language'))
    const response = responses[path] ?? refuse(404, 'path')
    if (response instanceof Error) throw response
    return new Response(JSON.stringify(response.body), { status: response.status ?? 200 })
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  return { paths, languages }
}

/** A browser whose user has a wallet, and the responses of services that have its other shares. */
async function createBrowser() {
  const memory = createMemoryStores()
  const way = { id: 'password', method: 'password', key: methodKey, facts: '{}' } as const
  const { entropy, accounts } = await createWallet(memory, [way], 1)
  const [record, remote, stored] = [await memory.device.read(), await memory.auth.own(), await memory.shares.find()]
  if (record === undefined || remote === undefined || stored === undefined) expect.fail('no wallet')
  const store = createMemoryStore()
  const device = await openDevice(store)
  const user: HolderUser = { id: 'ann', email: 'ann@example.org', accounts }
  const alone = async <result>(act: () => Promise<result>) => act()
  const session = createSession({ device, store, authUrl: urls.authUrl, now: () => now, language: () => 'en', alone })
  const accessToken = `h.${btoa(JSON.stringify({ exp: now / 1_000 + 900 }))}.s`
  session.begin({ accessToken, sharesToken: 's', refreshToken: 'r' })
  await session.save(user)
  await createWalletRecords(device, store, user.id).write(record)
  const place = { walletId: toBase64url(remote.walletId), setId: toBase64url(remote.setId), epoch: remote.epoch }
  const policy = { body: { now, records: [], devices: [], hasFreshPasskey: false } }
  const wrap = { ...way, key: undefined, wrapped: toBase64url(stored.wraps[0]?.wrapped ?? new Uint8Array()) }
  const vault = toBase64url(stored.vault)
  const responses = {
    '/auth/v1/user': { body: { id: 'ann' } },
    '/auth/v1/shares/own': { body: { ...place, share: toBase64url(remote.share) } },
    '/shares/v1/sets/find': { body: { ...place, share: toBase64url(stored.share), vault, wraps: [wrap] } },
    '/auth/v1/policy/read': policy,
    '/shares/v1/policy/read': policy,
    '/auth/v1/tokens/end': { body: {} },
  }
  return {
    store,
    user,
    responses,
    entropy,
    open: () => openTestHolder({ ...urls, store, now: () => now, later: () => () => undefined }),
  }
}

const message = new TextEncoder().encode('Hello')
const transaction = {
  chainId: 1,
  nonce: 0,
  to: '0x0000000000000000000000000000000000000001',
  value: 1n,
  data: '0x',
  gas: 21_000n,
  maxFeePerGas: 1n,
  maxPriorityFeePerGas: 1n,
} as const

describe('a browser without a login', () => {
  test('has no user, and signs nothing', async () => {
    const { paths } = startServices({})
    const holder = await openTestHolder({ ...urls, now: () => now })
    expect(await holder.restore()).toBeUndefined()
    await expect(holder.sign({ kind: 'solana', bytes: message })).rejects.toMatchObject(unauthorised)
    await expect(holder.policy()).rejects.toMatchObject(unauthorised)
    await expect(holder.reveal()).rejects.toMatchObject({ status: 403, field: 'page' })
    expect(paths).toEqual([])
  })
})

describe('a browser with a login', () => {
  test.each([
    ['knows its user and a coming deletion', { body: { deletionAt: 5 } }, { deletionAt: 5 }],
    ['ignores a time in another form', { body: { deletionAt: '5' } }, {}],
    ['stays logged in without a network', new Error('unreachable'), {}],
    ['stays logged in if the service fails', { status: 500, body: {} }, {}],
    ['stays logged in after another refusal', refuse(403, 'token'), {}],
  ])('%s', async (_, response, more) => {
    const { user, open } = await createBrowser()
    startServices({ '/auth/v1/user': response })
    expect(await (await open()).restore()).toEqual({ ...user, ...more })
  })

  test('has no user once the auth service ended the session', async () => {
    const { open } = await createBrowser()
    startServices({ '/auth/v1/user': refuse(401, 'token'), '/auth/v1/tokens': refuse(401, 'token') })
    const holder = await open()
    expect(await holder.restore()).toBeUndefined()
    await expect(holder.sign({ kind: 'solana', bytes: message })).rejects.toMatchObject(unauthorised)
  })

  test('signs with the account of the namespace, and leaves neither entropy nor keys once it is locked', async () => {
    const { user, open, responses, entropy } = await createBrowser()
    startServices(responses)
    const holder = await open()
    const signatures: Uint8Array[] = []
    const copies = await trackCopiesOf(async () => {
      signatures.push(await holder.sign({ kind: 'solana', bytes: message }))
      signatures.push(await holder.sign({ kind: 'evm-message', message }))
      await holder.lock()
      // The keys are wiped in the next turn.
      await Promise.resolve()
    })
    const [solana = new Uint8Array(), evm = new Uint8Array()] = signatures
    const [evmAccount, solanaAccount] = user.accounts
    expect(ed25519.verify(solana, message, base58.decode(solanaAccount?.address ?? ''))).toBe(true)
    const signer = await recoverMessageAddress({ message: { raw: message }, signature: toHex(evm) })
    expect(signer).toBe(evmAccount?.address)
    expect(copies(entropy)).toBe(0)
  })

  test('opens the wallet once, and again after it was locked', async () => {
    const { open, responses } = await createBrowser()
    const { paths } = startServices(responses)
    const holder = await open()
    const opened = () => paths.filter((path) => path === '/auth/v1/shares/own').length
    await holder.sign({ kind: 'solana', bytes: message })
    await holder.sign({ kind: 'solana', bytes: message })
    expect(opened()).toBe(1)
    await holder.lock()
    await holder.sign({ kind: 'solana', bytes: message })
    expect(opened()).toBe(2)
  })

  test('signs nothing if a service withholds a policy that this device has never seen', async () => {
    const { open, responses } = await createBrowser()
    startServices({ ...responses, '/shares/v1/policy/read': new Error('unreachable') })
    const signing = (await open()).sign({ kind: 'evm-transaction', transaction })
    await expect(signing).rejects.toMatchObject({ code: 'policy/unavailable' })
  })

  test('has to log in again if it was revoked and the wallet needs a method of the user', async () => {
    const { open, responses } = await createBrowser()
    startServices({ ...responses, '/auth/v1/shares/own': refuse(404, 'share') })
    const signing = (await open()).sign({ kind: 'solana', bytes: message })
    await expect(signing).rejects.toMatchObject({ status: 401, field: 'device' })
  })

  test('signs nothing after it was signed out, here and at the auth service', async () => {
    const { open, responses, store } = await createBrowser()
    const { paths } = startServices(responses)
    const holder = await open()
    await holder.sign({ kind: 'solana', bytes: message })
    await holder.signOut()
    expect(paths.at(-1)).toBe('/auth/v1/tokens/end')
    expect(await store.read('session')).toBeUndefined()
    await expect(holder.sign({ kind: 'solana', bytes: message })).rejects.toMatchObject(unauthorised)
    expect(await holder.restore()).toBeUndefined()
  })

  test('tells the services the language of the frame', async () => {
    const { open, responses } = await createBrowser()
    const { languages } = startServices(responses)
    const holder = await open()
    await holder.restore()
    await holder.setLanguage('de')
    await holder.restore()
    expect(languages).toEqual(['en', 'de'])
  })
})
