import { connect, createLatchkey, getIdentity, memoryStorage, type Latchkey } from '@latchkey/core'
import { nameSuffix } from '@latchkey/core/internal'
import { listNames, registerName, resolveAccountName, suggestNames } from '@latchkey/core/money'
import { fakeAdapter, fakeConnector, fakeNetwork, manualClock } from '@latchkey/core/testing'
import { type AccountId, requestError } from '@latchkey/protocol'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer } from '../testing/index.ts'

/** Core's client with a real server and a wallet with a real key. */
const clock = manualClock()
const networks = [
  fakeNetwork({ namespace: 'eip155', id: 31337 }),
  fakeNetwork({ namespace: 'eip155', id: 10 }),
] as const

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer({ clock, names: { zones: ['latchkey.test', 'older.test'], signerKey: undefined } })
})
afterAll(() => server.close())

type TestUser = {
  latchkey: Latchkey
  account: AccountId
  signed: string[]
  wallet: { sign(message: string): Promise<string> }
}

async function createUser(key: PrivateKeyAccount = privateKeyToAccount(generatePrivateKey())): Promise<TestUser> {
  const account: AccountId = `eip155:31337:${key.address}`
  const signed: string[] = []
  const wallet = { sign: (message: string) => key.signMessage({ message }) }
  const adapter = {
    ...fakeAdapter({ networks }),
    isAddress: (text: string) => /^0x[0-9a-f]{40}$/i.test(text),
    async signMessage(_connection: unknown, _account: unknown, message: string) {
      signed.push(message)
      return wallet.sign(message)
    },
  }
  const latchkey = createLatchkey({
    adapters: [adapter],
    connectors: [fakeConnector({ accounts: [account] })],
    server: server.url,
    projectId: 'ab'.repeat(16),
    storage: memoryStorage(),
    clock,
  })
  await connect(latchkey, 'fake')
  return { latchkey, account, signed, wallet }
}

test('registerName registers a name that resolves immediately [R7.1.16]', async () => {
  const { latchkey, account, signed } = await createUser()
  expect(await nameSuffix(latchkey)).toBe('.latchkey.test')
  expect(await getIdentity(latchkey, account)).toEqual({})
  expect(await registerName(latchkey, 'Sailor')).toBe('sailor.latchkey.test')
  expect(signed.map((text) => Object.keys(JSON.parse(text) as object))).toEqual([['name', 'attributes', 'timestamp']])
  expect(await getIdentity(latchkey, account)).toEqual({ name: 'sailor.latchkey.test' })
  expect(await listNames(latchkey, account)).toEqual(['sailor.latchkey.test'])
  const address = account.split(':')[2]
  const other = (await createUser()).latchkey
  expect(await resolveAccountName(other, 'SAILOR.latchkey.test')).toBe(address)
  expect(await listNames(other, account)).toEqual(['sailor.latchkey.test'])
  expect(await suggestNames(other, 'sailor')).toContainEqual({ name: 'sailor.latchkey.test', registered: true })
})

test('registerName rejects a second name and a taken name', async () => {
  const owner = await createUser()
  await registerName(owner.latchkey, 'lighthouse')
  await expect(registerName(owner.latchkey, 'another')).rejects.toMatchObject({
    code: 'name/owned',
    context: { name: 'lighthouse.latchkey.test' },
  })
  const late = await createUser()
  await expect(registerName(late.latchkey, 'lighthouse')).rejects.toMatchObject({
    code: 'name/taken',
    context: { name: 'lighthouse.latchkey.test' },
  })
  expect(await listNames(late.latchkey, late.account)).toEqual([])
})

test('registerName called fifty times sends a single wallet request', async () => {
  const { latchkey, signed } = await createUser()
  const names = await Promise.all(Array.from({ length: 50 }, () => registerName(latchkey, 'clicks')))
  expect(new Set(names)).toEqual(new Set(['clicks.latchkey.test']))
  expect(signed).toHaveLength(1)
})

test('registerName with another name waits for the first and is then rejected', async () => {
  const { latchkey, wallet, signed } = await createUser()
  const { sign } = wallet
  let approve = (): void => {}
  wallet.sign = (message) => new Promise((resolve) => (approve = () => void sign(message).then(resolve)))
  const names = [registerName(latchkey, 'first'), registerName(latchkey, 'second')]
  await expect.poll(() => signed).toHaveLength(1)
  approve()
  expect(await Promise.allSettled(names)).toMatchObject([
    { value: 'first.latchkey.test' },
    { reason: { code: 'name/owned' } },
  ])
  expect(signed).toHaveLength(1)
})

test('registerName allows time to approve, then fails as expired', async () => {
  const quick = await createUser()
  const sign = quick.wallet.sign
  quick.wallet.sign = (message) => (clock.advance(17_000), sign(message))
  expect(await registerName(quick.latchkey, 'quick')).toBe('quick.latchkey.test')
  const slow = await createUser()
  const signSlowly = slow.wallet.sign
  slow.wallet.sign = (message) => (clock.advance(20_000), signSlowly(message))
  await expect(registerName(slow.latchkey, 'slow')).rejects.toMatchObject({ code: 'name/late' })
  slow.wallet.sign = signSlowly
  expect(await registerName(slow.latchkey, 'slow')).toBe('slow.latchkey.test')
})

test('registerName registers no name when the user declines, and can be retried', async () => {
  const { latchkey, wallet } = await createUser()
  const { sign } = wallet
  wallet.sign = () => Promise.reject(requestError('request/rejected', { method: 'personal_sign' }))
  await expect(registerName(latchkey, 'declined')).rejects.toMatchObject({ code: 'request/rejected' })
  wallet.sign = sign
  expect(await registerName(latchkey, 'declined')).toBe('declined.latchkey.test')
})

test("registerName with another account's signature fails with the server's message", async () => {
  const { latchkey, wallet } = await createUser()
  const stranger = privateKeyToAccount(generatePrivateKey())
  wallet.sign = (message) => stranger.signMessage({ message })
  await expect(registerName(latchkey, 'stranger')).rejects.toMatchObject({
    code: 'name/refused',
    context: { reason: 'The address did not sign this message.' },
  })
})
