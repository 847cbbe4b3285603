import { requestFromWallet } from '@latchkey/core/internal'
import { memoryStorage, type Connection, type Connector, type LoginEvent, type Storage } from '@latchkey/core'
import { getRejection, fakeNetwork, manualClock, flushTasks, type ManualClock } from '@latchkey/core/testing'
import { expect, test } from 'vitest'
import { embedded } from './embedded.ts'
import { fakeFrame, type FakeFrame } from './testing/fakeFrame.ts'

type World = {
  frame: FakeFrame
  clock: ManualClock
  storage: Storage
  connector: Connector
  login: NonNullable<Connector['login']>
  news: LoginEvent[]
}

const networks = [fakeNetwork(), fakeNetwork({ id: 10 }), fakeNetwork({ namespace: 'solana', id: 'somewhere' })]

function setUp({
  frame = fakeFrame(),
  storage = memoryStorage(),
}: Partial<Pick<World, 'frame' | 'storage'>> = {}): World {
  const clock = manualClock()
  const connector = embedded({ frame: 'https://wallet.example/', projectId: 'ab', open: frame.open, clock, storage })
  const { login } = connector
  if (login === undefined) throw new Error('There is no login.')
  const news: LoginEvent[] = []
  login.listen?.((each) => void news.push(each))
  return { frame, clock, storage, connector, login, news }
}

async function logIn(world: World = setUp()): Promise<World & { evm: Connection; solana: Connection }> {
  const { login, connector } = world
  await login.email('visitor@example.org')
  await login.code('123 456')
  const [evm, solana] = await connector.connect({ networks, signal: new AbortController().signal })
  if (solana === undefined) throw new Error('There is only one namespace.')
  return { ...world, evm, solana }
}

/** Waits for the lazy chunks, which the fake clock does not load. */
async function waitForFrame({ frame }: World, name = 'SYNC_DAPP_DATA'): Promise<void> {
  await expect.poll(() => frame.requests.some((each) => each.name === name)).toBe(true)
  await flushTasks()
}

test('the frame is not loaded before a login, for a restore without a login or for a logout without one', async () => {
  const { frame, connector } = setUp()
  expect(await connector.restore({ networks, signal: new AbortController().signal })).toEqual([])
  await connector.disconnect()
  expect(frame.urls).toEqual([])
})

test('the frame is loaded once, from a URL with the project [R7.4.1]', async () => {
  const { frame } = await logIn()
  expect(frame.urls.map(String)).toEqual(['https://wallet.example/sdk?projectId=ab&version=4&enableLogger=false'])
})

test('a login by mail connects both namespaces and provides the user with the account type [R3.6]', async () => {
  const { evm, solana, login } = await logIn()
  expect(evm.accounts).toHaveLength(1)
  expect(evm.chainId).toBe('eip155:1')
  expect(solana.namespace).toBe('solana')
  expect(evm.details?.(evm.accounts[0])).toEqual({ type: 'eoa' })
  expect(login.state.get()).toMatchObject({ user: { email: 'visitor@example.org' }, accountType: 'eoa' })
})

test('the page stores the displayed user and no secrets [I-08]', async () => {
  const stored = new Map<string, string>()
  const storage: Storage = {
    getItem: (key) => stored.get(key),
    setItem: (key, value) => void stored.set(key, value),
    removeItem: (key) => void stored.delete(key),
  }
  const { connector } = await logIn(setUp({ storage }))
  expect(Object.fromEntries(stored)).toEqual({
    '@latchkey/embedded/login': 'true',
    '@latchkey/embedded/email': 'visitor@example.org',
    '@latchkey/embedded/chain': 'eip155:1',
    '@latchkey/embedded/smart_networks': '1',
  })
  await connector.disconnect()
  expect([...stored.keys()]).toEqual([])
})

test('a second mail is refused for thirty seconds, even after a reload [R5.3.6]', async () => {
  const world = setUp()
  await world.login.email('visitor@example.org')
  world.clock.advance(800)
  await expect(world.login.email('visitor@example.org')).rejects.toMatchObject({
    code: 'embedded/cooldown',
    message: 'Please try again after 30 seconds',
  })
  const later = setUp({ frame: world.frame, storage: world.storage })
  await expect(later.login.email('other@example.org')).rejects.toMatchObject({ code: 'embedded/cooldown' })
  later.clock.advance(30_000)
  expect(await later.login.email('new@example.org')).toEqual({ action: 'VERIFY_DEVICE', match: '42' })
})

test('a failed mail starts no cooldown', async () => {
  const { frame, login } = setUp()
  frame.misbehave({ name: 'CONNECT_EMAIL', message: 'The mail could not be sent.', localizedMessage: 'Keine Mail.' })
  await expect(login.email('visitor@example.org')).rejects.toMatchObject({
    code: 'embedded/failed',
    message: 'The mail could not be sent.',
    context: { reason: 'The mail could not be sent.', localizedMessage: 'Keine Mail.' },
  })
  frame.misbehave({})
  expect(await login.email('visitor@example.org')).toEqual({ action: 'VERIFY_OTP' })
})

test('the service’s cooldown applies here', async () => {
  const { frame, clock, login } = setUp()
  frame.misbehave({ name: 'CONNECT_EMAIL', message: 'Please try again after 17 seconds' })
  await expect(login.email('visitor@example.org')).rejects.toMatchObject({
    code: 'embedded/cooldown',
    context: { seconds: 17 },
  })
  expect(login.state.get().mailAgainAt).toBe(clock.now() + 17_000)
})

test('an invalid e-mail address is never sent [R5.3.1]', async () => {
  const { frame, login } = setUp()
  await expect(login.email('visitor@')).rejects.toMatchObject({ code: 'embedded/invalid-email' })
  expect(frame.requests).toEqual([])
})

test('a step without a response in thirty seconds fails and is aborted in the frame [R9.1.2]', async () => {
  const world = setUp()
  world.frame.misbehave({ never: 'CONNECT_EMAIL' })
  const failure = getRejection(world.login.email('visitor@example.org'))
  await waitForFrame(world, 'CONNECT_EMAIL')
  world.clock.advance(29_999)
  expect(world.frame.requests.map(({ name }) => name)).not.toContain('RPC_ABORT')
  world.clock.advance(1)
  expect(await failure).toMatchObject({ code: 'embedded/timeout' })
  expect(world.frame.requests.map(({ name }) => name)).toContain('RPC_ABORT')
})

test('a response settles its own request only', async () => {
  const world = setUp()
  world.frame.misbehave({ instead: { name: 'CONNECT_EMAIL', to: 'CONNECT_OTP', respond: undefined } })
  const failure = getRejection(world.login.email('visitor@example.org'))
  await waitForFrame(world, 'CONNECT_EMAIL')
  world.clock.advance(30_000)
  expect(await failure).toMatchObject({ code: 'embedded/timeout' })
})

test('the timeout of a login pauses while the frame shows a screen', async () => {
  const world = setUp()
  world.frame.misbehave({ never: 'CONNECT_OTP' })
  const failure = getRejection(world.login.code('123456'))
  await waitForFrame(world, 'CONNECT_OTP')
  world.frame.postToPage({ type: '@w3m-frame/SCREEN', payload: { open: true, height: 500 } })
  await flushTasks()
  world.clock.advance(300_000)
  expect(world.frame.requests.map(({ name }) => name)).not.toContain('RPC_ABORT')
  world.frame.postToPage({ type: '@w3m-frame/SCREEN', payload: { open: false } })
  await flushTasks()
  world.clock.advance(30_000)
  expect(await failure).toMatchObject({ code: 'embedded/timeout' })
})

test('a frame that is not ready in 20.5 seconds fails and is loaded again by the next request [R8.3.4]', async () => {
  const world = setUp()
  world.frame.misbehave({ silent: true })
  const failure = getRejection(world.login.email('visitor@example.org'))
  await expect.poll(() => world.frame.urls.length).toBe(1)
  world.clock.advance(20_500)
  expect(await failure).toMatchObject({
    code: 'embedded/unreachable',
    message: 'Unable to load email login dependency: https://wallet.example does not respond.',
  })
  expect(world.news).toEqual([{ type: 'blocked' }])
  expect(world.frame.ended).toBe(1)
  world.frame.misbehave({})
  expect(await world.login.email('visitor@example.org')).toEqual({ action: 'VERIFY_OTP' })
})

test('a silent document fails sooner', async () => {
  const world = setUp()
  world.frame.misbehave({ silent: true })
  const failure = getRejection(world.login.email('visitor@example.org'))
  await expect.poll(() => world.frame.urls.length).toBe(1)
  world.frame.load()
  world.clock.advance(8_000)
  expect(await failure).toMatchObject({ code: 'embedded/unreachable' })
})

test('another document in the iframe ends pending requests, and the next request loads the frame again [I-12]', async () => {
  const { evm, frame } = await logIn()
  const sign = () => requestFromWallet(evm, { method: 'personal_sign', params: ['0x68656c6c6f', '0x1'] })
  // The load event follows the frame's first message.
  frame.load()
  frame.approve()
  expect(await sign()).toMatch(/^0x/)
  const failure = getRejection(sign())
  await expect.poll(() => frame.shown()).toBe('personal_sign')
  frame.load()
  expect(await failure).toMatchObject({ code: 'embedded/unreachable' })
  expect(frame.ended).toBe(1)
  const next = sign()
  await expect.poll(() => [frame.urls.length, frame.shown()]).toEqual([2, 'personal_sign'])
  frame.approve()
  expect(await next).toMatch(/^0x/)
})

test('a frame that refuses the page is reported as an app error [R8.1.1]', async () => {
  const { frame, login, news } = setUp()
  frame.misbehave({ name: 'SYNC_DAPP_DATA', message: 'This page is not allowed.' })
  await expect(login.email('visitor@example.org')).rejects.toMatchObject({
    code: 'embedded/failed',
    message: 'This page is not allowed.',
  })
  expect(news).toEqual([{ type: 'blocked' }])
})

test('read requests show no screen, and eth_chainId needs no request', async () => {
  const { evm, solana, frame } = await logIn()
  const before = frame.requests.length
  expect(await requestFromWallet(evm, { method: 'eth_chainId' })).toBe('0x1')
  expect(frame.requests).toHaveLength(before)
  expect(await requestFromWallet(evm, { method: 'eth_getBalance', params: ['0x0', 12n] })).toEqual(['0x0', '0xc'])
  expect(frame.requests.at(-1)?.payload).toMatchObject({ chainNamespace: 'eip155', chainId: 'eip155:1' })
  await solana.provider.request({ method: 'solana_signMessage', params: {} })
  expect(frame.requests.at(-1)?.payload).toMatchObject({ chainNamespace: 'solana', chainId: 'solana:somewhere' })
})

test('a method that is not allowed is not forwarded [R5.2.5] [R6.6]', async () => {
  const { evm, frame, news } = await logIn()
  const before = frame.requests.length
  await expect(requestFromWallet(evm, { method: 'eth_sign' })).rejects.toMatchObject({
    code: 'request/not-allowed',
    message: 'Requested RPC call is not allowed: eth_sign',
  })
  expect(frame.requests).toHaveLength(before)
  expect(news).toEqual([{ type: 'not-allowed', method: 'eth_sign' }])
})

test('approvals emit an event, rejections come from the user, and other failures from the wallet', async () => {
  const { evm, frame, news, login } = await logIn()
  const signing = requestFromWallet(evm, { method: 'personal_sign', params: ['0x00'] })
  await expect.poll(frame.shown).toBe('personal_sign')
  await expect.poll(() => login.state.get().screen).toEqual({ height: 480 })
  frame.approve()
  expect(await signing).toMatch(/^0x/)
  expect(news).toEqual([{ type: 'approved', method: 'personal_sign' }])
  await expect.poll(() => login.state.get().screen).toBeUndefined()
  frame.decline()
  await expect(requestFromWallet(evm, { method: 'personal_sign', params: ['0x00'] })).rejects.toMatchObject({
    code: 'request/rejected',
  })
  await expect(requestFromWallet(evm, { method: 'eth_call' })).rejects.toMatchObject({
    code: 'request/failed',
    context: { code: 3 },
  })
})

test('rejectAll rejects requests that need an approval, and reads continue [R2.2.7] [R8.2.8]', async () => {
  const { evm, frame, login } = await logIn()
  frame.misbehave({ never: 'RPC_REQUEST' })
  const signing = getRejection(requestFromWallet(evm, { method: 'personal_sign', params: ['0x00'] }))
  let isRead = false
  void getRejection(requestFromWallet(evm, { method: 'eth_blockNumber' })).then(() => (isRead = true))
  await flushTasks()
  login.rejectAll()
  expect(await signing).toMatchObject({ code: 'request/rejected', message: 'Request was aborted' })
  expect(frame.requests.filter(({ name }) => name === 'RPC_ABORT')).toHaveLength(1)
  await flushTasks()
  expect(isRead).toBe(false)
})

test('a signature without a response in two minutes has an unknown outcome', async () => {
  const { evm, frame, clock } = await logIn()
  frame.misbehave({ never: 'RPC_REQUEST' })
  const failure = getRejection(requestFromWallet(evm, { method: 'eth_sendTransaction', params: [{}] }))
  await flushTasks()
  clock.advance(120_000)
  expect(await failure).toMatchObject({ code: 'request/unknown' })
})

test('another account type changes the address and notifies listeners', async () => {
  const { evm, login } = await logIn()
  const onMessage: unknown[] = []
  evm.listen({
    accountsChanged: (accounts) => onMessage.push(accounts),
    chainChanged: () => {},
    disconnected: () => {},
  })
  await login.setAccountType('smartAccount')
  expect(login.state.get().accountType).toBe('smartAccount')
  expect(onMessage).toHaveLength(1)
  expect(onMessage).not.toEqual([evm.accounts])
  // Switches back, regardless of the namespace the frame handled.
  await login.setAccountType('eoa')
  expect(login.state.get().accountType).toBe('eoa')
  expect(onMessage).toHaveLength(2)
})

test('the inactive account has no details', async () => {
  const { evm, login } = await logIn()
  const [account] = evm.accounts
  if (account === undefined) throw new Error('There is no account.')
  expect(await evm.details?.(account)).toEqual({ type: 'eoa' })
  await login.setAccountType('smartAccount')
  expect(await evm.details?.(account)).toBeUndefined()
})

test('switchTo accepts networks of the app only', async () => {
  const { evm } = await logIn()
  const onMessage: string[] = []
  evm.listen({ accountsChanged: () => {}, chainChanged: (chainId) => onMessage.push(chainId), disconnected: () => {} })
  expect(await evm.switchTo?.('eip155:10')).toBe(true)
  expect(await evm.switchTo?.('eip155:137')).toBe(false)
  expect(onMessage).toEqual(['eip155:10'])
  expect(await requestFromWallet(evm, { method: 'eth_chainId' })).toBe('0xa')
})

test('a login that the frame does not know or confirm is forgotten [R4.1.3]', async () => {
  const { frame, storage } = await logIn()
  const negative = setUp({ frame, storage })
  frame.setLoggedIn(false)
  expect(await negative.connector.restore({ networks, signal: new AbortController().signal })).toEqual([])
  expect(storage.getItem('@latchkey/embedded/login')).toBeUndefined()

  storage.setItem('@latchkey/embedded/login', 'true')
  const silent = setUp({ frame, storage })
  frame.misbehave({ never: 'IS_CONNECTED' })
  const failure = getRejection(silent.connector.restore({ networks, signal: new AbortController().signal }))
  await expect.poll(() => frame.requests.at(-1)?.name).toBe('IS_CONNECTED')
  silent.clock.advance(30_000)
  expect(await failure).toMatchObject({ code: 'embedded/timeout' })
  expect(storage.getItem('@latchkey/embedded/login')).toBeUndefined()
})

test('disconnect forgets first and waits for the frame for at most three seconds', async () => {
  const { frame, storage, connector, clock, evm } = await logIn()
  frame.misbehave({ never: 'SIGN_OUT' })
  const leaving = connector.disconnect()
  await flushTasks()
  expect(storage.getItem('@latchkey/embedded/login')).toBeUndefined()
  clock.advance(3_000)
  await leaving
  expect(frame.ended).toBe(1)
  await expect(requestFromWallet(evm, { method: 'eth_accounts' })).rejects.toMatchObject({ code: 'wallet/unavailable' })
})

test('unrequested and invalid responses are ignored', async () => {
  const { evm, frame } = await logIn()
  frame.postToPage({ type: '@w3m-frame/RPC_REQUEST_SUCCESS', id: 'nobody', payload: '0x1' })
  frame.postToPage({ type: '@w3m-frame/SESSION_UPDATE', payload: { token: 'x' } })
  frame.postToPage('nothing')
  await flushTasks()
  expect(await requestFromWallet(evm, { method: 'eth_getCode', params: ['0x0'] })).toEqual(['0x0'])
})

test('a connector without a project id is refused at once, because the frame would never respond', () => {
  expect(() => embedded({ frame: 'https://wallet.example', storage: memoryStorage() })).toThrow(
    expect.objectContaining({ code: 'config/invalid', message: expect.stringContaining('projectId') }),
  )
})

test('the frame’s pages get the project', () => {
  const { login } = embedded({ frame: 'https://wallet.example/', projectId: 'ab', storage: memoryStorage() })
  expect(login?.pages).toEqual({
    export: 'https://wallet.example/export/?projectId=ab',
    account: 'https://wallet.example/account/?projectId=ab',
  })
})

test('the frame follows the modal’s look and language without being loaded for it', async () => {
  const world = setUp()
  const { frame, login } = world
  login.setAppearance?.({ themeMode: 'dark', language: 'de' })
  await flushTasks()
  expect(frame.urls).toEqual([])
  await login.email('visitor@example.org')
  expect(frame.requests.map(({ name }) => name)).toEqual(['SYNC_DAPP_DATA', 'SYNC_THEME', 'CONNECT_EMAIL'])
  expect(frame.requests[0]?.payload).toMatchObject({ language: 'de' })
  expect(frame.requests[1]?.payload).toEqual({ themeMode: 'dark' })
  login.setAppearance?.({ themeMode: 'light', accent: '#123456', language: 'fr' })
  await expect
    .poll(() => frame.requests.slice(3))
    .toMatchObject([
      { name: 'SYNC_DAPP_DATA', payload: { language: 'fr' } },
      { name: 'SYNC_THEME', payload: { themeMode: 'light', themeVariables: { '--latchkey-accent': '#123456' } } },
    ])
})

test('a frame without themes still works', async () => {
  const { frame, login } = setUp()
  frame.misbehave({ name: 'SYNC_THEME', message: 'The accent is not a colour.' })
  login.setAppearance?.({ themeMode: 'dark' })
  expect(await login.email('visitor@example.org')).toEqual({ action: 'VERIFY_OTP' })
})

test('warm loads the frame, and the login does not load it again', async () => {
  const world = setUp()
  world.login.preload?.()
  await waitForFrame(world)
  expect(world.frame.urls).toHaveLength(1)
  await world.login.email('visitor@example.org')
  expect(world.frame.urls).toHaveLength(1)
})
