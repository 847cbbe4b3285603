import { toAccountId } from '@latchkey/adapter-kit'
import {
  connect as connectWallet,
  createLatchkey,
  disconnect,
  memoryStorage,
  start,
  switchAccount,
} from '@latchkey/core'
import type { LocalSolana } from '@latchkey/devnet'
import { registerSolanaWallet, type SimulatedSolanaOptions } from '@latchkey/testkit'
import { verifySolanaBytes } from '@latchkey/verify/solana'
import {
  compileTransaction,
  createNoopSigner,
  getAddressEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  signTransactionMessageWithSigners,
  type Transaction,
} from '@solana/kit'
import type { Wallet } from '@wallet-standard/base'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { solanaDevnet, solanaTestnet } from '../../chain/solanaNetworks.ts'
import { solana } from '../../solana.ts'
import {
  alice,
  aliceKey,
  bob,
  bobKey,
  createKeySigner,
  createPaymentMessage,
  createSolanaWorld,
  listSigningRequests,
  readBalance,
  startLocalSolana,
} from '../../testing/solanaTestWorld.ts'
import { createStandardWallet, type StandardWalletOptions } from './createStandardWallet.ts'
import type { LatchkeyStandardWallet, StandardAccount, StandardTransactionInput } from './standardAccount.ts'

let chain: LocalSolana

beforeAll(async () => {
  chain = await startLocalSolana()
  return () => chain.close()
})

/** A wallet of the Wallet Standard whose instance is not connected yet. */
function setUp(options: StandardWalletOptions = {}, simulated: Partial<SimulatedSolanaOptions> = {}) {
  const world = createSolanaWorld(chain, simulated)
  onTestFinished(world.stop)
  const standard = createStandardWallet(world.latchkey, options)
  const changes: (readonly string[])[] = []
  const listen = () =>
    standard.features['standard:events'].on('change', ({ accounts }) => changes.push(listAddresses({ accounts })))
  return { ...world, standard, changes, listen }
}

/** The same with a connected instance. */
async function setUpConnected(simulated: Partial<SimulatedSolanaOptions> = {}) {
  const world = setUp({}, simulated)
  await world.connect()
  const [account] = world.standard.accounts
  if (account === undefined) throw new Error('There is no account.')
  return { ...world, account }
}

function listAddresses({ accounts }: Pick<LatchkeyStandardWallet, 'accounts'>): readonly string[] {
  return accounts.map(({ address }) => address)
}

function connectStandard({ features }: LatchkeyStandardWallet, input?: { silent: boolean }) {
  return features['standard:connect'].connect(input)
}

function encodeWire(transaction: Transaction): Uint8Array {
  return new Uint8Array(getTransactionEncoder().encode(transaction))
}

async function createPaymentInput(
  account: StandardAccount,
  lamports: bigint,
): Promise<StandardTransactionInput & { chain: 'solana:localnet' }> {
  const message = await createPaymentMessage(chain, createNoopSigner(alice), lamports)
  return { account, transaction: encodeWire(compileTransaction(message)), chain: 'solana:localnet' }
}

describe('the accounts of the wallet', () => {
  test('are none before a wallet is connected', () => {
    const { standard } = setUp()
    // The type of the standard.
    const wallet: Wallet = standard
    expect(wallet).toMatchObject({ version: '1.0.0', name: 'Latchkey', chains: ['solana:localnet', 'solana:devnet'] })
    expect(wallet.icon).toMatch(/^data:image\/svg\+xml;base64,\w+/)
    expect(wallet.accounts).toEqual([])
  })

  test('are those of the connected wallet, the selected one first', async () => {
    const { standard, latchkey, connect, changes, listen } = setUp({ name: 'My App' })
    expect(standard.name).toBe('My App')
    const stop = listen()
    await connect()
    expect(standard.accounts[0]).toMatchObject({
      address: alice,
      publicKey: getAddressEncoder().encode(alice),
      chains: ['solana:localnet', 'solana:devnet'],
      features: ['solana:signMessage', 'solana:signTransaction', 'solana:signAndSendTransaction'],
    })
    switchAccount(latchkey, toAccountId('solana', chain.network.caipNetworkId, bob))
    expect(changes).toEqual([
      [alice, bob],
      [bob, alice],
    ])
    stop()
    await disconnect(latchkey)
    expect(changes).toHaveLength(2)
    expect(standard.accounts).toEqual([])
  })

  test('have the chains that the wallet approved', async () => {
    const { account } = await setUpConnected({ info: { chains: ['solana:devnet'] } })
    expect(account.chains).toEqual(['solana:devnet'])
  })

  test('stay the same objects while they do not change', async () => {
    const { standard, latchkey, wallet, account } = await setUpConnected()
    const { accounts } = standard
    latchkey.wallet.setState((state) => ({ ...state }), true)
    expect(standard.accounts).toBe(accounts)
    wallet.removeAccount(bob)
    expect(standard.accounts).toHaveLength(1)
    expect(standard.accounts[0]).toBe(account)
  })

  test('are reported when the wallet removes them and when it disconnects', async () => {
    const { wallet, changes, listen } = await setUpConnected()
    listen()
    wallet.removeAccount(alice)
    wallet.revoke()
    expect(changes).toEqual([[bob], []])
  })

  test('are reported to every listener, although one throws', async () => {
    const { standard, connect, changes, listen } = setUp()
    const log = console.error
    onTestFinished(() => void (console.error = log))
    const logged: unknown[] = []
    console.error = (error: unknown) => void logged.push(error)
    const failure = new Error('A mistake of the app.')
    standard.features['standard:events'].on('change', () => {
      throw failure
    })
    listen()
    await connect()
    expect(changes).toEqual([[alice, bob]])
    expect(logged).toEqual([failure])
  })
})

describe('standard:connect', () => {
  test('returns the accounts of the connected wallet without asking', async () => {
    const { standard, wallet } = await setUpConnected()
    const requestCount = wallet.requests.length
    const { accounts } = await connectStandard(standard)
    expect(accounts).toBe(standard.accounts)
    expect(wallet.requests).toHaveLength(requestCount)
  })

  test('lets the app connect a wallet', async () => {
    const world = setUp({ connect: () => world.connect() })
    expect(listAddresses(await connectStandard(world.standard))).toEqual([alice, bob])
  })

  test('waits for the user if the app opens the modal', async () => {
    const world = setUp({ connect: () => emit('modal-open') })
    // The modal adds its events to those of the core.
    const emit = (type: string): void => world.latchkey.events.emit({ type } as never)
    const connecting = connectStandard(world.standard)
    await world.connect()
    emit('modal-close')
    expect(listAddresses(await connecting)).toEqual([alice, bob])
  })

  test('rejects with 4001 if the user closes the modal or declines', async () => {
    const closing = setUp({
      connect() {
        for (const type of ['modal-open', 'modal-close']) closing.latchkey.events.emit({ type } as never)
      },
    })
    await expect(connectStandard(closing.standard)).rejects.toMatchObject({
      code: 4001,
      cause: { code: 'connection/aborted' },
    })
    const declining = setUp({ connect: () => declining.connect() })
    declining.wallet.rejectNext()
    await expect(connectStandard(declining.standard)).rejects.toMatchObject({
      code: 4001,
      cause: { code: 'connection/rejected' },
    })
  })

  test.each<[string, StandardWalletOptions]>([
    ['the app lets the user connect none', {}],
    ['its callback neither opens the modal nor connects', { connect: async () => {} }],
  ])('rejects with 4900 if %s', async (_, options) => {
    const { standard } = setUp(options)
    await expect(connectStandard(standard)).rejects.toMatchObject({
      code: 4900,
      cause: { code: 'connection/not-connected' },
    })
  })

  test('passes on what the callback throws', async () => {
    const failure = new Error('No')
    const { standard } = setUp({
      connect() {
        throw failure
      },
    })
    await expect(connectStandard(standard)).rejects.toBe(failure)
  })

  test('asks nothing if it is silent', async () => {
    const { standard, wallet } = setUp({ connect: () => expect.fail('asked') })
    expect(await connectStandard(standard, { silent: true })).toEqual({ accounts: [] })
    expect(wallet.requests).toEqual([])
  })

  test('restores the stored connection after a reload, even if it is silent', async () => {
    const storage = memoryStorage()
    const { wallet } = setUp()
    const load = () => {
      const page = new EventTarget()
      registerSolanaWallet(wallet, page)
      return createLatchkey({ adapters: [solana({ networks: [chain.network], page })], storage })
    }
    const before = load()
    onTestFinished(start(before))
    await connectWallet(before, `solana/${wallet.info.name}`)
    const { accounts } = await connectStandard(createStandardWallet(load()), { silent: true })
    expect(listAddresses({ accounts })).toEqual([alice, bob])
  })

  test('standard:disconnect disconnects the wallet', async () => {
    const { standard, latchkey } = await setUpConnected()
    await standard.features['standard:disconnect'].disconnect()
    expect(latchkey.wallet.getState().namespaces.solana).toMatchObject({ status: 'disconnected' })
    expect(standard.accounts).toEqual([])
  })
})

describe('signing', () => {
  test('signs messages with the given account', async () => {
    const { standard } = await setUpConnected()
    const { signMessage } = standard.features['solana:signMessage']
    const message = Uint8Array.of(255, 1, 2)
    const outputs = await signMessage(...standard.accounts.map((account) => ({ account, message })))
    expect(outputs.map(({ signedMessage }) => signedMessage)).toEqual([message, message])
    expect(outputs.map(({ signature }) => signature).map((each) => verifySolanaBytes(alice, message, each))).toEqual([
      true,
      false,
    ])
    expect(verifySolanaBytes(bob, message, outputs[1]?.signature ?? message)).toBe(true)
  })

  test('signs transactions of one account with one approval', async () => {
    const { standard, wallet, account } = await setUpConnected()
    const inputs = [await createPaymentInput(account, 1n), await createPaymentInput(account, 2n)]
    const outputs = await standard.features['solana:signTransaction'].signTransaction(...inputs)
    for (const [index, { signedTransaction }] of outputs.entries()) {
      const given = getTransactionDecoder().decode(inputs[index]?.transaction ?? new Uint8Array())
      const { messageBytes, signatures } = getTransactionDecoder().decode(signedTransaction)
      expect(messageBytes).toEqual(given.messageBytes)
      const signature = new Uint8Array(signatures[alice] ?? [])
      expect(verifySolanaBytes(alice, new Uint8Array(messageBytes), signature)).toBe(true)
    }
    expect(listSigningRequests(wallet)).toEqual(['solana:signTransaction'])
    expect(await standard.features['solana:signTransaction'].signTransaction()).toEqual([])
  })

  test('signs transactions for different chains one by one', async () => {
    const { standard, wallet, account } = await setUpConnected()
    const [local, other] = [await createPaymentInput(account, 1n), await createPaymentInput(account, 2n)]
    const inputs = [local, { ...other, chain: 'solana:devnet' } as const]
    expect(await standard.features['solana:signTransaction'].signTransaction(...inputs)).toHaveLength(2)
    expect(wallet.requests.slice(-2).map(({ params }) => params)).toMatchObject([
      { chain: 'solana:localnet' },
      { chain: 'solana:devnet' },
    ])
  })

  test('sends transactions', async () => {
    const { standard, account } = await setUpConnected()
    const before = await readBalance(chain, bob)
    const inputs = [await createPaymentInput(account, 2_001n), await createPaymentInput(account, 2_002n)]
    const { signAndSendTransaction } = standard.features['solana:signAndSendTransaction']
    const outputs = await signAndSendTransaction(...inputs)
    expect(outputs.map(({ signature }) => signature.length)).toEqual([64, 64])
    expect(await readBalance(chain, bob)).toBe(before + 4_003n)
  })

  test.each([
    ['solana:devnet', 2_004n],
    [solanaDevnet.caipNetworkId, 2_005n],
  ] as const)(
    'sends on %s by switching the wallet to it',
    // Two payments of one amount in one slot would be one payment.
    async (devnet, amount) => {
      const { standard, latchkey, wallet, account } = await setUpConnected()
      const input = { ...(await createPaymentInput(account, amount)), chain: devnet }
      await standard.features['solana:signAndSendTransaction'].signAndSendTransaction(input)
      expect(wallet.requests.at(-1)?.params).toMatchObject({ chain: 'solana:devnet' })
      expect(latchkey.wallet.getState().namespaces.solana).toMatchObject({ chainId: solanaDevnet.caipNetworkId })
      expect(standard.accounts[0]).toBe(account)
    },
  )

  test.each([solanaTestnet.caipNetworkId, 'solana:testnet', 'eip155:1'] as const)(
    'refuses the chain %s, which the app did not configure',
    async (unknown) => {
      const { standard, wallet, account } = await setUpConnected()
      const input = { ...(await createPaymentInput(account, 1n)), chain: unknown }
      await expect(standard.features['solana:signTransaction'].signTransaction(input)).rejects.toMatchObject({
        code: 4901,
        cause: { code: 'network/not-found' },
      })
      expect(listSigningRequests(wallet)).toEqual([])
    },
  )

  test('refuses wrong send options', async () => {
    const { standard, wallet, account } = await setUpConnected()
    const input = { ...(await createPaymentInput(account, 1n)), options: { maxRetries: -1 } }
    const sending = standard.features['solana:signAndSendTransaction'].signAndSendTransaction(input)
    await expect(sending).rejects.toMatchObject({ cause: { code: 'config/invalid' } })
    expect(listSigningRequests(wallet)).toEqual([])
  })
})

describe('every signing feature rejects', () => {
  /** Calls each feature with an account. */
  async function signAll(standard: LatchkeyStandardWallet, account: StandardAccount) {
    const input = await createPaymentInput(account, 1n)
    const { features } = standard
    return [
      () => features['solana:signMessage'].signMessage({ account, message: Uint8Array.of(1) }),
      () => features['solana:signTransaction'].signTransaction(input),
      () => features['solana:signAndSendTransaction'].signAndSendTransaction(input),
    ]
  }

  test('with 4001 if the user declines', async () => {
    const { standard, wallet, account } = await setUpConnected()
    const before = await readBalance(chain, bob)
    for (const sign of await signAll(standard, account)) {
      wallet.rejectNext()
      await expect(sign()).rejects.toMatchObject({ code: 4001, cause: { code: 'request/rejected' } })
    }
    expect(await readBalance(chain, bob)).toBe(before)
  })

  test('with 4900 after the wallet disconnected', async () => {
    const { standard, latchkey, account } = await setUpConnected()
    await disconnect(latchkey)
    for (const sign of await signAll(standard, account)) {
      await expect(sign()).rejects.toMatchObject({ code: 4900, cause: { code: 'connection/not-connected' } })
    }
  })

  test('with 4100 for an account that the wallet does not share', async () => {
    const { standard, wallet, account } = await setUpConnected()
    const { address } = await createKeySigner(5)
    wallet.removeAccount(alice)
    for (const wrong of [account, { ...account, address }, { ...account, address: 'text' }]) {
      for (const sign of await signAll(standard, wrong)) {
        await expect(sign()).rejects.toMatchObject({ code: 4100, cause: { code: 'account/not-found' } })
      }
    }
    expect(listSigningRequests(wallet)).toEqual([])
  })

  test('with 4100 if the account leaves while the wallet waits for approval', async () => {
    const { standard, wallet, account } = await setUpConnected()
    wallet.hold()
    for (const [index, sign] of (await signAll(standard, account)).entries()) {
      const signing = sign()
      await expect.poll(() => listSigningRequests(wallet)).toHaveLength(index + 1)
      wallet.setAccounts([bobKey])
      wallet.approve()
      await expect(signing).rejects.toMatchObject({ code: 4100, cause: { code: 'request/failed' } })
      wallet.setAccounts([aliceKey, bobKey])
    }
  })

  test('a transaction or message that another account signed', async () => {
    const { standard, wallet, account } = await setUpConnected()
    const stranger = await createKeySigner(6)
    const other = await signTransactionMessageWithSigners(await createPaymentMessage(chain, stranger, 1n))
    const response = Buffer.from(encodeWire(other)).toString('base64')
    wallet.faults.set('solana:signTransaction', { kind: 'response', value: [response] })
    wallet.faults.set('solana:signMessage', { kind: 'response', value: [Buffer.alloc(64, 1).toString('base64')] })
    for (const sign of (await signAll(standard, account)).slice(0, 2)) {
      await expect(sign()).rejects.toMatchObject({ cause: { code: 'wallet/invalid-response' } })
    }
  })
})
