import type { ViewName } from '../navigation/views.ts'
import { closeModal } from '../navigation/openModal.ts'
import { dismissSignIn } from './dismissSignIn.ts'
import { fakeModalWorld } from '../testing/fakeModalWorld.ts'
import { finishConnecting } from './finishConnecting.ts'
import { goBack } from '../navigation/openModal.ts'
import { modalOf } from '../modal.ts'
import { openModal } from '../navigation/openModal.ts'
import { httpError, requestError } from '@latchkey/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import {
  connect,
  disconnect,
  getAccount,
  localSignIn,
  setActiveNamespace,
  signIn,
  signOut,
  start,
  switchNetwork,
  type AccountState,
  type SignIn,
  type SignInDraft,
  type SignInState,
} from '@latchkey/core'
import type { fakeWorld } from '@latchkey/core/fakes'
import {
  getRejection,
  fakeAdapter,
  fakeConnector,
  fakeNetwork,
  fakeStorage,
  manualClock,
  type FakeConnector,
  type FakeWorld,
} from '@latchkey/core/fakes'

const [one, other] = [
  '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',
] as const

const stops: Array<() => void> = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

type SignInWorld = FakeWorld & { siwx: SignIn; wallet: FakeConnector }

/** A started app with `localSignIn`. */
function createApp({
  required = true,
  wallet = fakeConnector(),
  policy = {},
  ...world
}: {
  required?: boolean
  wallet?: FakeConnector
  policy?: Partial<SignIn>
} & Pick<Parameters<typeof fakeWorld>[0] & object, 'storage' | 'adapters'> = {}): SignInWorld {
  const [storage, clock] = [world.storage ?? fakeStorage(), manualClock()]
  const local = localSignIn({ required, storage, clock, domain: 'app.example', uri: 'https://app.example' })
  const siwx = { ...local, ...policy }
  const made = fakeModalWorld({ ...world, storage, clock, connectors: [wallet], siwx })
  stops.push(start(made.latchkey))
  return { ...made, siwx, wallet }
}

function viewsOf({ latchkey }: FakeWorld): ViewName[] {
  const state = modalOf(latchkey).state.getState()
  return state.open ? state.history.map(({ view }) => view) : []
}

function accountOf({ latchkey }: FakeWorld): AccountState & { status: 'connected' } {
  const account = getAccount(latchkey)
  return account.status === 'connected' ? account : expect.fail('no wallet is connected')
}

async function waitForStatus({ latchkey }: FakeWorld, status: SignInState['status']): Promise<void> {
  await expect.poll(() => latchkey.signIn.getState().status).toBe(status)
}

/** Connects in the modal, up to the sign-in view. */
async function showSignIn(world: SignInWorld): Promise<SignInWorld> {
  openModal(world.latchkey)
  await connect(world.latchkey, 'fake')
  finishConnecting(world.latchkey)
  await waitForStatus(world, 'unsigned')
  return world
}

describe('signing in', () => {
  test('is required when an account without a session becomes active [R2.2.8]', async () => {
    const world = await showSignIn(createApp())
    expect(viewsOf(world)).toEqual(['SIWXSignMessage'])
    const { account, network } = accountOf(world)
    expect(world.latchkey.signIn.getState()).toEqual({ status: 'unsigned', account, required: true })
    expect(account.startsWith(network.caipNetworkId)).toBe(true)
  })

  test('looks up the session once for each account and network', async () => {
    const looked: string[] = []
    const getSessions = async (chainId: string): Promise<[]> => (looked.push(chainId), [])
    const world = await showSignIn(createApp({ policy: { getSessions } }))
    expect(looked).toEqual(['eip155:1'])
    await switchNetwork(world.latchkey, 'eip155:2')
    finishConnecting(world.latchkey)
    await expect.poll(() => looked).toEqual(['eip155:1', 'eip155:2'])
  })

  test('requests the signature, stores the session and closes the modal [R4.3.1] [R3.14]', async () => {
    const world = await showSignIn(createApp())
    const session = await signIn(world.latchkey)
    expect(viewsOf(world)).toEqual([])
    const { address, network } = accountOf(world)
    expect(session.data).toMatchObject({
      accountAddress: address,
      chainId: network.caipNetworkId,
      domain: 'app.example',
    })
    expect(session.data.nonce).toMatch(/^[0-9a-f]{32}$/)
    expect(session.message).toContain(`Nonce: ${session.data.nonce}\n`)
    expect(await world.siwx.getSessions(network.caipNetworkId, address)).toEqual([session])
    expect(world.latchkey.signIn.getState()).toMatchObject({ status: 'signed', session })
    expect(world.events.slice(-2)).toMatchObject([{ type: 'sign-in' }, { type: 'modal-close' }])
    expect(world.wallet.requests.map(({ method }) => method)).toEqual(['signMessage'])
  })

  test('is not required with a session, and the modal closes [R2.2.8]', async () => {
    const [storage, first] = [fakeStorage(), fakeConnector()]
    await signIn((await showSignIn(createApp({ storage, wallet: first }))).latchkey)
    const world = createApp({ storage, wallet: fakeConnector() })
    openModal(world.latchkey)
    await connect(world.latchkey, 'fake')
    finishConnecting(world.latchkey)
    await waitForStatus(world, 'signed')
    await expect.poll(() => viewsOf(world)).toEqual([])
    expect(world.wallet.requests).toEqual([])
  })

  test('is required again when the session expires', async () => {
    const storage = fakeStorage()
    const world = await showSignIn(createApp({ storage }))
    await signIn(world.latchkey)
    world.clock.advance(7 * 86_400_000 - 1)
    expect([viewsOf(world), world.latchkey.signIn.getState().status]).toEqual([[], 'signed'])
    world.clock.advance(1)
    await waitForStatus(world, 'unsigned')
    expect(viewsOf(world)).toEqual(['SIWXSignMessage'])
  })

  test('is not requested repeatedly when the policy accepts expired sessions', async () => {
    let times = 0
    const world = createApp({
      policy: {
        async getSessions(chainId, accountAddress) {
          times += 1
          const draft = await world.siwx.createMessage({ chainId, accountAddress })
          const expirationTime = new Date(world.clock.now() - 1).toISOString()
          return [{ data: { ...draft, expirationTime }, message: '', signature: '' }]
        },
      },
    })
    await connect(world.latchkey, 'fake')
    await waitForStatus(world, 'signed')
    world.clock.advance(86_400_000)
    expect([times, world.latchkey.signIn.getState().status]).toEqual([1, 'signed'])
  })

  test("when required can't be closed, shakes for 500 ms, and closes with a session [R2.2.6] [R9.1.7]", async () => {
    const world = await showSignIn(createApp())
    const { latchkey, clock } = world
    closeModal(latchkey)
    clock.advance(300)
    goBack(latchkey)
    clock.advance(499)
    expect(modalOf(latchkey).state.getState()).toMatchObject({ open: true, shaking: true })
    clock.advance(1)
    expect(modalOf(latchkey).state.getState()).toMatchObject({ open: true, shaking: false })
    await signIn(latchkey)
    expect(viewsOf(world)).toEqual([])
  })

  test('when optional can be closed, and is not required again until account or network change [R2.2.6]', async () => {
    const world = await showSignIn(createApp({ required: false }))
    closeModal(world.latchkey)
    expect(viewsOf(world)).toEqual([])
    openModal(world.latchkey)
    expect(viewsOf(world)).toEqual(['Account'])
    closeModal(world.latchkey)
    await switchNetwork(world.latchkey, 'eip155:2')
    await expect.poll(() => viewsOf(world)).toEqual(['SIWXSignMessage'])
  })

  test('when cancelled disconnects if it is required, and only closes otherwise [R2.2.8]', async () => {
    for (const [required, status] of [
      [true, 'disconnected'],
      [false, 'connected'],
    ] as const) {
      const world = await showSignIn(createApp({ required }))
      await dismissSignIn(world.latchkey)
      expect([viewsOf(world), getAccount(world.latchkey).status]).toEqual([[], status])
      expect(world.events).toContainEqual({ type: 'sign-in-cancel' })
    }
  })

  test("when cancelled closes even if the wallet can't be notified [R2.2.8]", async () => {
    const wallet = fakeConnector()
    wallet.fail('disconnect', new Error('gone'))
    const world = await showSignIn(createApp({ wallet }))
    await expect(dismissSignIn(world.latchkey)).rejects.toMatchObject({ code: 'disconnect/failed' })
    expect([viewsOf(world), getAccount(world.latchkey).status]).toEqual([[], 'disconnected'])
  })

  test('when declined keeps the modal open, and can be tried again [R4.3.2]', async () => {
    const world = await showSignIn(createApp())
    const declined = requestError('request/rejected', { method: 'signMessage' })
    world.wallet.fail('signMessage', declined)
    expect(await getRejection(signIn(world.latchkey))).toBe(declined)
    expect(viewsOf(world)).toEqual(['SIWXSignMessage'])
    expect(world.latchkey.signIn.getState()).toMatchObject({ status: 'unsigned', error: declined })
    expect(world.events.at(-1)).toMatchObject({ type: 'sign-in-error', during: 'signing', code: 'request/rejected' })
    world.wallet.fail('signMessage', undefined)
    await signIn(world.latchkey)
    expect(viewsOf(world)).toEqual([])
  })

  test('reopens when it fails if the modal was closed in the meantime', async () => {
    const world = await showSignIn(createApp({ required: false }))
    closeModal(world.latchkey)
    world.wallet.fail('signMessage', new Error('no'))
    await getRejection(signIn(world.latchkey))
    expect(viewsOf(world)).toEqual(['SIWXSignMessage'])
  })

  test('disconnects and returns to the connect view when the session lookup fails [R4.3.3]', async () => {
    const policy = { getSessions: () => Promise.reject(httpError('http/unreachable', { origin: 'x' })) }
    const world = createApp({ policy })
    openModal(world.latchkey, { entry: { view: 'AllWallets', params: {} } })
    await connect(world.latchkey, 'fake')
    finishConnecting(world.latchkey)
    await expect.poll(() => getAccount(world.latchkey).status).toBe('disconnected')
    await expect.poll(() => viewsOf(world)).toEqual(['Connect'])
    expect(world.wallet.calls.disconnect).toBe(1)
    expect(world.events).toContainEqual(
      expect.objectContaining({ type: 'sign-in-error', during: 'lookup', code: 'http/unreachable' }),
    )
  })

  test('rejects if sign-in is not enabled, or no supported account is active [R8.3.2]', async () => {
    const none = fakeModalWorld({ connectors: [fakeConnector()] })
    expect(await getRejection(signIn(none.latchkey))).toMatchObject({
      code: 'sign-in/not-enabled',
      message: expect.stringContaining('SIWX is not enabled'),
    })
    expect(await getRejection(signIn(createApp().latchkey))).toMatchObject({
      code: 'sign-in/no-account',
      message: expect.stringContaining('No ActiveCaipAddress found'),
    })
    const wallet = fakeConnector({ accounts: ['eip155:999:0xaa'] })
    const elsewhere = createApp({ wallet })
    await connect(elsewhere.latchkey, 'fake')
    expect(viewsOf(elsewhere)).not.toContain('SIWXSignMessage')
    expect(await getRejection(signIn(elsewhere.latchkey))).toMatchObject({
      code: 'sign-in/no-network',
      message: expect.stringContaining('No ActiveCaipNetwork or client found'),
    })
  })
})

describe('a session', () => {
  const accounts = [`eip155:1:${one}`, `eip155:1:${other}`] as const

  test('belongs to one account: another one must sign in, and the first stays signed in', async () => {
    const wallet = fakeConnector({ accounts })
    const world = await showSignIn(createApp({ wallet }))
    await signIn(world.latchkey)
    wallet.emitAccounts([`eip155:1:${other}`, `eip155:1:${one}`])
    await waitForStatus(world, 'unsigned')
    expect(viewsOf(world)).toEqual(['SIWXSignMessage'])
    wallet.emitAccounts([`eip155:1:${one}`, `eip155:1:${other}`])
    await waitForStatus(world, 'signed')
  })

  test('belongs to one chain', async () => {
    const world = await showSignIn(createApp())
    await signIn(world.latchkey)
    await switchNetwork(world.latchkey, 'eip155:2')
    await waitForStatus(world, 'unsigned')
    const { data } = await signIn(world.latchkey)
    expect(data.chainId).toBe('eip155:2')
    await switchNetwork(world.latchkey, 'eip155:1')
    await waitForStatus(world, 'signed')
    expect(world.wallet.requests.filter(({ method }) => method === 'signMessage')).toHaveLength(2)
  })

  test.each([
    [undefined, 0],
    [true, 0],
    [false, 1],
  ])('ends with the connection unless configured otherwise: %s', async (signOutOnDisconnect, left) => {
    const world = await showSignIn(createApp({ policy: { signOutOnDisconnect } }))
    await signIn(world.latchkey)
    const { address } = accountOf(world)
    await disconnect(world.latchkey)
    await waitForStatus(world, 'off')
    await expect.poll(() => world.siwx.getSessions('eip155:1', address)).toHaveLength(left)
  })

  test('ends with its own namespace only, when another one stays connected', async () => {
    const adapters = [fakeAdapter(), fakeAdapter({ namespace: 'solana' })] as const
    const both = [`eip155:1:${one}`, 'solana:1:So1'] as const
    const world = await showSignIn(
      createApp({ adapters, wallet: fakeConnector({ namespaces: ['eip155', 'solana'], accounts: both }) }),
    )
    await signIn(world.latchkey)
    setActiveNamespace(world.latchkey, 'solana')
    await waitForStatus(world, 'unsigned')
    await signIn(world.latchkey)
    await disconnect(world.latchkey, { namespace: 'solana' })
    await expect.poll(() => world.siwx.getSessions('solana:1', 'So1')).toEqual([])
    expect(await world.siwx.getSessions('eip155:1', one)).toHaveLength(1)
  })

  test('that the user ends keeps the connection, and is required on the next visit', async () => {
    const world = await showSignIn(createApp())
    await signIn(world.latchkey)
    await signOut(world.latchkey)
    expect(world.latchkey.signIn.getState().status).toBe('unsigned')
    expect(getAccount(world.latchkey).status).toBe('connected')
    expect(await world.siwx.getSessions('eip155:1', accountOf(world).address)).toEqual([])
  })

  test('is not created by a signature after the user cancelled', async () => {
    let respond: (signature: string) => void = () => {}
    const late = new Promise<string>((resolve) => (respond = resolve))
    const added: unknown[] = []
    const policy = { signMessage: () => late, addSession: async (session: unknown) => void added.push(session) }
    const world = await showSignIn(createApp({ policy, required: false }))
    const signing = getRejection(signIn(world.latchkey))
    await waitForStatus(world, 'signing')
    await dismissSignIn(world.latchkey)
    respond('0x')
    expect(await signing).toMatchObject({ code: 'connection/aborted' })
    expect([added, viewsOf(world)]).toEqual([[], []])
  })

  test('is not created by a session saved after the user cancelled', async () => {
    let finishSaving = (): void => {}
    const keeping = new Promise<void>((resolve) => (finishSaving = resolve))
    const world = await showSignIn(createApp({ policy: { addSession: () => keeping }, required: false }))
    const signing = getRejection(signIn(world.latchkey))
    await expect.poll(() => world.wallet.requests).toHaveLength(1)
    await dismissSignIn(world.latchkey)
    finishSaving()
    expect(await signing).toMatchObject({ code: 'connection/aborted' })
    expect(world.latchkey.signIn.getState().status).toBe('unsigned')
  })

  test('is not created from an invalid message, which is not signed', async () => {
    const statement = 'Grüße, und herzlich willkommen!'
    const made = createApp()
    const createMessage = async (request: Parameters<SignIn['createMessage']>[0]): Promise<SignInDraft> => ({
      ...(await made.siwx.createMessage(request)),
      statement,
    })
    const world = await showSignIn(createApp({ policy: { createMessage } }))
    expect(await getRejection(signIn(world.latchkey))).toMatchObject({
      code: 'sign-in/invalid',
      context: { reason: 'its statement is not a line of ASCII' },
    })
    expect(world.wallet.requests).toEqual([])
  })

  test('is not created by the signature of another account', async () => {
    const world = await showSignIn(createApp({ policy: { signMessage: async () => '0x00' } }))
    expect(await getRejection(signIn(world.latchkey))).toMatchObject({ code: 'sign-in/refused' })
    expect(world.latchkey.signIn.getState().status).toBe('unsigned')
  })

  test('is not created by a message for another account or chain', async () => {
    for (const wrong of [{ accountAddress: '0xother' }, { chainId: 'eip155:2' }] as const) {
      const made = createApp()
      const createMessage = async (request: Parameters<SignIn['createMessage']>[0]): Promise<SignInDraft> => ({
        ...(await made.siwx.createMessage(request)),
        ...wrong,
      })
      const world = await showSignIn(createApp({ policy: { createMessage } }))
      expect(await getRejection(signIn(world.latchkey))).toMatchObject({ code: 'sign-in/invalid' })
      expect(world.wallet.requests).toEqual([])
    }
  })

  test('may use the app’s own message', async () => {
    const made = createApp()
    const createMessage = async (request: Parameters<SignIn['createMessage']>[0]): Promise<SignInDraft> => ({
      ...(await made.siwx.createMessage(request)),
      toString: () => 'Let me in.',
    })
    const world = await showSignIn(createApp({ policy: { createMessage } }))
    const session = await signIn(world.latchkey)
    expect(session.message).toBe('Let me in.')
    expect(Object.hasOwn(session.data, 'toString')).toBe(false)
  })
})

test('createLatchkey rejects both sign-in options at once [R5.2.3] [R8.3.5]', () => {
  const siweConfig = {
    getNonce: async () => '12345678',
    createMessage: () => '',
    verifyMessage: async () => true,
    getSession: async () => null,
    signOut: async () => true,
  }
  expect(() => fakeModalWorld({ siwx: localSignIn(), siweConfig })).toThrow(
    'Cannot set both `siweConfig` and `siwx` options',
  )
  expect(() => fakeModalWorld({ siweConfig })).not.toThrow()
})

test('an app without a sign-in never shows it', async () => {
  const world = fakeModalWorld({
    connectors: [fakeConnector()],
    adapters: [fakeAdapter({ networks: [fakeNetwork()] })],
  })
  stops.push(start(world.latchkey))
  openModal(world.latchkey)
  await connect(world.latchkey, 'fake')
  finishConnecting(world.latchkey)
  expect([viewsOf(world), world.latchkey.signIn.getState()]).toEqual([[], { status: 'off' }])
})
