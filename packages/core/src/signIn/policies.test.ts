import { formatSignInMessage, type SignInSession, httpError } from '@latchkey/protocol'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { connect } from '../connection/connect.ts'
import { disconnect } from '../connection/disconnect.ts'
import { start } from '../connection/start.ts'
import { switchNetwork } from '../network/switchNetwork.ts'
import type { ConnectRequest } from '../contracts/connector.ts'
import { memoryStorage } from '../storage/memoryStorage.ts'
import {
  getRejection,
  fakeAdapter,
  fakeConnector,
  fakeStorage,
  fakeWorld,
  manualClock,
  type FakeConnector,
  type FakeWorld,
} from '../testing/fakes.ts'
import { signIn } from './signIn.ts'
import { localSignIn } from './localSignIn.ts'
import type { SignIn, SignInState } from './signInState.ts'
import type { SiweConfig, SiweMessageArgs, SiweSession } from './siweConfig.ts'

const stops: Array<() => void> = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

function startWorld(options: Parameters<typeof fakeWorld>[0]): FakeWorld {
  const world = fakeWorld(options)
  stops.push(start(world.latchkey))
  return world
}

async function waitForStatus({ latchkey }: FakeWorld, status: SignInState['status']): Promise<void> {
  await expect.poll(() => latchkey.signIn.getState().status).toBe(status)
}

describe('siweConfig', () => {
  const address = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaafa4e'

  /** A server of the app that keeps one session at a time. */
  function appServer(more: Partial<SiweConfig> = {}) {
    const serverCalls = { session: undefined as SiweSession | undefined, signedIn: [] as SiweSession[], out: 0 }
    let messageArgs: SiweMessageArgs | undefined
    const siweConfig: SiweConfig = {
      getNonce: async () => 'abcdef0123456789',
      getMessageParams: async () => ({ domain: 'app.example', uri: 'https://app.example', statement: 'Welcome.' }),
      createMessage(args) {
        messageArgs = args
        const { address: accountAddress, chainId, iat, nbf: _, exp: __, ...texts } = args
        return formatSignInMessage({ ...texts, accountAddress, chainId: `eip155:${chainId}`, issuedAt: iat })
      },
      verifyMessage: async () => {
        serverCalls.session =
          messageArgs === undefined ? undefined : { address: messageArgs.address, chainId: messageArgs.chainId }
        return true
      },
      getSession: async () => serverCalls.session ?? null,
      signOut: async () => ((serverCalls.session = undefined), true),
      onSignIn: (session) => void serverCalls.signedIn.push(session),
      onSignOut: () => void (serverCalls.out += 1),
      ...more,
    }
    return { serverCalls, siweConfig }
  }

  test("signs in, calls the app's callbacks, and signs out with the connection", async () => {
    const { serverCalls, siweConfig } = appServer()
    const world = startWorld({ connectors: [fakeConnector()], siweConfig })
    await connect(world.latchkey, 'fake')
    await waitForStatus(world, 'unsigned')
    const session = await signIn(world.latchkey)
    expect(session.data).toMatchObject({
      domain: 'app.example',
      nonce: 'abcdef0123456789',
      statement: 'Welcome.',
      accountAddress: address,
    })
    expect(serverCalls.signedIn).toEqual([{ address, chainId: 1 }])
    await disconnect(world.latchkey)
    await expect.poll(() => serverCalls.out).toBe(1)
    expect(serverCalls.session).toBeUndefined()
  })

  test.each([
    ['verifyMessage says no', { verifyMessage: async () => false }],
    ['getSession returned no session', { getSession: async () => null }],
  ])('does not sign in when %s', async (_, more) => {
    const world = startWorld({ connectors: [fakeConnector()], siweConfig: appServer(more).siweConfig })
    await connect(world.latchkey, 'fake')
    await waitForStatus(world, 'unsigned')
    expect(await getRejection(signIn(world.latchkey))).toMatchObject({ code: 'sign-in/refused' })
  })

  test.each([
    [undefined, 'unsigned', 1],
    [false, 'signed', 0],
  ] as const)(
    'requires a sign-in on another network unless configured otherwise: %s',
    async (signOutOnNetworkChange, status, out) => {
      const { serverCalls, siweConfig } = appServer({ signOutOnNetworkChange })
      const world = startWorld({ connectors: [fakeConnector()], siweConfig })
      await connect(world.latchkey, 'fake')
      await waitForStatus(world, 'unsigned')
      await signIn(world.latchkey)
      await switchNetwork(world.latchkey, 'eip155:2')
      await waitForStatus(world, status)
      expect(serverCalls.out).toBe(out)
    },
  )

  test.each([
    [undefined, 'unsigned', 1],
    [false, 'signed', 0],
  ] as const)(
    'requires a sign-in for another account unless configured otherwise: %s',
    async (signOutOnAccountChange, status, out) => {
      const { serverCalls, siweConfig } = appServer({ signOutOnAccountChange })
      const wallet = fakeConnector({ accounts: [`eip155:1:${address}`] })
      const world = startWorld({ connectors: [wallet], siweConfig })
      await connect(world.latchkey, 'fake')
      await waitForStatus(world, 'unsigned')
      await signIn(world.latchkey)
      wallet.emitAccounts(['eip155:1:0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'])
      await expect
        .poll(() => world.latchkey.signIn.getState())
        .toMatchObject({ account: expect.stringContaining('0xbb') })
      await waitForStatus(world, status)
      expect(serverCalls.out).toBe(out)
    },
  )

  test('ignores accounts of other namespaces, and requires nothing when disabled', async () => {
    const adapters = [fakeAdapter({ namespace: 'solana' })]
    const wallet = fakeConnector({ namespaces: ['solana'], accounts: ['solana:1:So1'] })
    const world = startWorld({ adapters, connectors: [wallet], siweConfig: appServer().siweConfig })
    await connect(world.latchkey, 'fake')
    await waitForStatus(world, 'signed')
    expect(wallet.requests).toEqual([])

    const off = startWorld({ connectors: [fakeConnector()], siweConfig: appServer({ enabled: false }).siweConfig })
    await connect(off.latchkey, 'fake')
    expect(off.latchkey.signIn.getState()).toEqual({ status: 'off' })
    expect(await getRejection(signIn(off.latchkey))).toMatchObject({ code: 'sign-in/not-enabled' })
  })

  test('may use its own message, and may be optional', async () => {
    let session: SiweSession | null = null
    const { siweConfig } = appServer({
      required: false,
      createMessage: () => 'Let me in.',
      verifyMessage: async ({ message }) => ((session = { address, chainId: 1 }), message === 'Let me in.'),
      getSession: async () => session,
    })
    const world = startWorld({ connectors: [fakeConnector()], siweConfig })
    await connect(world.latchkey, 'fake')
    await waitForStatus(world, 'unsigned')
    expect(world.latchkey.signIn.getState()).toMatchObject({ required: false })
    expect(await signIn(world.latchkey)).toMatchObject({ message: 'Let me in.', data: { accountAddress: address } })
  })
})

describe('a one-click sign-in', () => {
  /** A phone wallet that signs the offered message for each of these chains. */
  function phone(chains: ReadonlyArray<`eip155:${number}`>, namespaces: FakeConnector['namespaces'] = ['eip155']) {
    const offered: Array<ConnectRequest['signIn']> = []
    const wallet = fakeConnector({ type: 'walletConnect', namespaces, accounts: ['eip155:1:0xaa'] })
    const connector: FakeConnector = {
      ...wallet,
      async connect(request) {
        offered.push(request.signIn)
        const { chains: _, ...messageArgs } = request.signIn?.message ?? { chains: [] }
        for (const chainId of request.signIn === undefined ? [] : chains) {
          // The fields of the message are those of the request.
          const data = { ...messageArgs, chainId, accountAddress: '0xaa' } as SignInSession['data']
          request.signIn?.signed({ data, message: formatSignInMessage(data), signature: '0x', cacao: { p: {} } })
        }
        return wallet.connect(request)
      },
    }
    return { connector, offered }
  }

  function policy(more: Partial<SignIn> = {}): SignIn {
    const clock = manualClock()
    const local = localSignIn({ storage: fakeStorage(), clock, domain: 'app.example', uri: 'https://app.example' })
    return { ...local, ...more }
  }

  test('is offered to phone wallets when all chains are eip155, and replaces the second request [R5.2.2] [R3.14]', async () => {
    const { connector, offered } = phone(['eip155:1'])
    const siwx = policy()
    const world = startWorld({ connectors: [connector], siwx })
    await connect(world.latchkey, 'fake')
    await waitForStatus(world, 'signed')
    expect(offered).toMatchObject([{ message: { domain: 'app.example', chains: ['eip155:1', 'eip155:2'] } }])
    expect(world.events.map(({ type }) => type)).not.toContain('sign-in-required')
    expect(await siwx.getSessions('eip155:1', '0xaa')).toMatchObject([{ cacao: { p: {} }, signature: '0x' }])
    expect(connector.requests).toEqual([])
  })

  test('saves a session for each signed chain', async () => {
    const siwx = policy()
    const world = startWorld({ connectors: [phone(['eip155:1', 'eip155:2']).connector], siwx })
    await connect(world.latchkey, 'fake')
    await waitForStatus(world, 'signed')
    await switchNetwork(world.latchkey, 'eip155:2')
    await waitForStatus(world, 'signed')
    expect(await siwx.getSessions('eip155:2', '0xaa')).toHaveLength(1)
  })

  test('is not offered with another namespace, to extensions, or without a sign-in [R5.2.2]', async () => {
    const both = phone(['eip155:1'], ['eip155', 'solana'])
    const adapters = [fakeAdapter(), fakeAdapter({ namespace: 'solana' })]
    const mixed = startWorld({ adapters, connectors: [both.connector], siwx: policy() })
    await connect(mixed.latchkey, 'fake')
    await waitForStatus(mixed, 'unsigned')

    const plain = phone(['eip155:1'])
    await connect(startWorld({ connectors: [plain.connector] }).latchkey, 'fake')

    const extension = fakeConnector()
    await connect(startWorld({ connectors: [extension], siwx: policy() }).latchkey, 'fake')
    expect([both.offered, plain.offered, extension.connectRequests.map((each) => each.signIn)]).toEqual([
      [undefined],
      [undefined],
      [undefined],
    ])
  })

  test.each<[string, Partial<SignIn>]>([
    ['no nonce can be had', { createMessage: () => Promise.reject(httpError('http/status', { status: 500 })) }],
    ['it is not accepted', { addSession: () => Promise.reject(new Error('no')) }],
  ])('connects when %s, and requires the sign-in afterwards', async (_, more) => {
    const { connector } = phone(['eip155:1'])
    const world = startWorld({ connectors: [connector], siwx: policy(more) })
    await connect(world.latchkey, 'fake')
    await waitForStatus(world, 'unsigned')
    expect(world.latchkey.wallet.getState().namespaces.eip155).toMatchObject({ status: 'connected' })
  })
})

describe('sessions of the page', () => {
  const sendRequest = { chainId: 'eip155:1', accountAddress: '0xAA' } as const

  async function kept(local: SignIn, about: Parameters<SignIn['createMessage']>[0]): Promise<SignInSession> {
    const data = await local.createMessage(about)
    const session = { data, message: formatSignInMessage(data), signature: '0x' }
    await local.addSession(session)
    return session
  }

  test('are found by chain and address, hexadecimal ones in any case, and revoked individually', async () => {
    const local = localSignIn({ storage: memoryStorage(), domain: 'a.example', uri: 'https://a.example' })
    const one = await kept(local, sendRequest)
    const elsewhere = await kept(local, { ...sendRequest, chainId: 'eip155:2' })
    const solana = await kept(local, { chainId: 'solana:1', accountAddress: 'So1' })
    expect(await local.getSessions('eip155:1', '0xaa')).toEqual([one])
    expect(await local.getSessions('solana:1', 'so1')).toEqual([])
    await local.revokeSession('eip155:1', '0xaa')
    expect(await local.getSessions('eip155:1', '0xAA')).toEqual([])
    expect(await local.getSessions('eip155:2', '0xAA')).toEqual([elsewhere])
    expect(await local.getSessions('solana:1', 'So1')).toEqual([solana])
    await local.setSessions([])
    expect(await local.getSessions('solana:1', 'So1')).toEqual([])
  })

  test('are valid from notBefore to expiry, and the newest replaces the previous one', async () => {
    const clock = manualClock()
    const storage = memoryStorage()
    const local = localSignIn({ storage, clock, domain: 'a.example', uri: 'https://a.example', lifetime: 1_000 })
    const notBefore = new Date(clock.now() + 500).toISOString()
    await kept(local, { ...sendRequest, notBefore })
    expect(await local.getSessions('eip155:1', '0xaa')).toEqual([])
    clock.advance(500)
    expect(await local.getSessions('eip155:1', '0xaa')).toHaveLength(1)
    await kept(local, sendRequest)
    expect(await local.getSessions('eip155:1', '0xaa')).toHaveLength(1)
    clock.advance(1_000)
    expect(await local.getSessions('eip155:1', '0xaa')).toEqual([])
  })

  test.each(['', 'null', '{', '{}', '[1,null,{"data":{}}]', '[{"data":{"chainId":"x"},"message":1}]'])(
    'are empty when the storage holds %s',
    async (text) => {
      const storage = memoryStorage()
      storage.setItem('@latchkey/siwx', text)
      expect(await localSignIn({ storage }).getSessions('eip155:1', '0xaa')).toEqual([])
    },
  )

  test("use the app's texts, and a new nonce each time", async () => {
    const texts = {
      domain: 'a.example',
      uri: 'https://a.example/in',
      statement: 'Hi.',
      resources: ['a:b'],
      requestId: '7',
    }
    const local = localSignIn({ storage: memoryStorage(), ...texts })
    const [one, other] = [await local.createMessage(sendRequest), await local.createMessage(sendRequest)]
    expect(one).toMatchObject({ ...texts, ...sendRequest, version: '1' })
    expect(one.nonce).not.toBe(other.nonce)
  })

  test('are lost without an error when the browser blocks its storage', async () => {
    const denied = (): never => {
      throw new Error('denied')
    }
    const local = localSignIn({ storage: { getItem: denied, setItem: denied, removeItem: denied } })
    expect(await local.getSessions('eip155:1', '0xaa')).toEqual([])
  })

  test("that can't be revoked on disconnect are reported to the developer", async () => {
    const complain = vi.spyOn(console, 'error').mockReturnValue()
    const local = localSignIn({ storage: memoryStorage(), domain: 'a.example', uri: 'https://a.example' })
    const siwx = { ...local, setSessions: () => Promise.reject(new Error('offline')) }
    const world = startWorld({ connectors: [fakeConnector()], siwx })
    await connect(world.latchkey, 'fake')
    await waitForStatus(world, 'unsigned')
    await disconnect(world.latchkey)
    await expect.poll(() => complain.mock.calls).toEqual([[new Error('offline')]])
    complain.mockRestore()
  })
})
