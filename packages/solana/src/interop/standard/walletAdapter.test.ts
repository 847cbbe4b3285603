import type { LocalSolana } from '@latchkey/devnet'
import type { SimulatedSolanaOptions } from '@latchkey/testkit'
import { verifySolanaBytes } from '@latchkey/verify/solana'
import {
  isWalletAdapterCompatibleStandardWallet,
  WalletAccountError,
  WalletConnectionError,
  WalletDisconnectedError,
  WalletSendTransactionError,
  WalletSignTransactionError,
} from '@solana/wallet-adapter-base'
import { StandardWalletAdapter } from '@solana/wallet-standard-wallet-adapter-base'
import {
  Connection,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { getWallets } from '@wallet-standard/app'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import {
  alice,
  bob,
  bobKey,
  createSolanaWorld,
  listSigningRequests,
  readBalance,
  startLocalSolana,
} from '../../testing/solanaTestWorld.ts'
import { registerStandardWallet } from './registerStandardWallet.ts'

let chain: LocalSolana

beforeAll(async () => {
  chain = await startLocalSolana()
  // The adapter works only in a page, for which it looks for these two. The library listens to the first page that it sees.
  vi.stubGlobal('window', new EventTarget()).stubGlobal('document', {})
  return async () => {
    vi.unstubAllGlobals()
    await chain.close()
  }
})

/** The events of the adapter, whose own type loses those of the emitter that it extends. */
type AdapterEvents = {
  on(event: 'connect', listener: (publicKey: PublicKey) => void): void
  on(event: 'disconnect', listener: () => void): void
  on(event: 'error', listener: (error: Error) => void): void
}

/**
 * The adapter that `WalletProvider` of `@solana/wallet-adapter-react` creates for every registered wallet of the Wallet Standard
 * that is compatible.
 */
function setUp(simulated: Partial<SimulatedSolanaOptions> = {}) {
  const world = createSolanaWorld(chain, simulated)
  onTestFinished(world.stop)
  onTestFinished(registerStandardWallet(world.latchkey, { connect: () => world.connect(), page: window }))
  const [wallet] = getWallets().get()
  if (wallet === undefined || !isWalletAdapterCompatibleStandardWallet(wallet)) throw new Error('It is incompatible.')
  const adapter = new StandardWalletAdapter({ wallet })
  const events: string[] = []
  const emitter = adapter as StandardWalletAdapter & AdapterEvents
  emitter.on('connect', (publicKey) => events.push(`connect ${publicKey.toBase58()}`))
  emitter.on('disconnect', () => events.push('disconnect'))
  emitter.on('error', (error) => events.push(error.name))
  onTestFinished(() => adapter.destroy())
  return { ...world, adapter, events, connection: new Connection(chain.rpcUrl, 'confirmed') }
}

async function createPayment(connection: Connection, lamports: number): Promise<VersionedTransaction> {
  const { blockhash } = await connection.getLatestBlockhash()
  const [fromPubkey, toPubkey] = [new PublicKey(alice), new PublicKey(bob)]
  const instructions = [SystemProgram.transfer({ fromPubkey, toPubkey, lamports })]
  const message = new TransactionMessage({ payerKey: fromPubkey, recentBlockhash: blockhash, instructions })
  return new VersionedTransaction(message.compileToV0Message())
}

test('the adapter connects the wallet of the app, and disconnects it', async () => {
  const { adapter, events, latchkey } = setUp()
  await adapter.connect()
  expect(adapter.publicKey?.toBase58()).toBe(alice)
  expect(adapter.supportedTransactionVersions).toEqual(new Set(['legacy', 0]))
  await adapter.disconnect()
  expect(events).toEqual([`connect ${alice}`, 'disconnect'])
  expect(latchkey.wallet.getState().namespaces.solana).toMatchObject({ status: 'disconnected' })
})

test('the adapter uses the wallet that is connected already when it connects by itself', async () => {
  const { adapter, connect, wallet } = setUp()
  await expect(adapter.autoConnect()).rejects.toBeInstanceOf(WalletAccountError)
  expect(wallet.requests).toEqual([])
  await connect()
  await adapter.autoConnect()
  expect(adapter.connected).toBe(true)
})

test('the adapter signs messages', async () => {
  const { adapter } = setUp()
  await adapter.connect()
  const message = Uint8Array.of(1, 2, 255)
  const signature = await adapter.signMessage?.(message)
  expect(verifySolanaBytes(alice, message, signature ?? message)).toBe(true)
})

test('the adapter sends transactions, versioned and legacy', async () => {
  const { adapter, connection } = setUp()
  await adapter.connect()
  const before = await readBalance(chain, bob)
  await adapter.sendTransaction(await createPayment(connection, 3_001), connection)
  const [fromPubkey, toPubkey] = [new PublicKey(alice), new PublicKey(bob)]
  const legacy = new Transaction().add(SystemProgram.transfer({ fromPubkey, toPubkey, lamports: 3_002 }))
  const signature = await adapter.sendTransaction(legacy, connection)
  expect(signature).toMatch(/^\w{80,}$/)
  expect(await readBalance(chain, bob)).toBe(before + 6_003n)
})

test('the adapter signs transactions, several with one approval, and sends nothing', async () => {
  const { adapter, connection, wallet } = setUp()
  await adapter.connect()
  const before = await readBalance(chain, bob)
  const signed = await adapter.signTransaction?.(await createPayment(connection, 3_003))
  const payments = [await createPayment(connection, 1), await createPayment(connection, 2)]
  expect(await adapter.signAllTransactions?.(payments)).toHaveLength(2)
  expect(listSigningRequests(wallet)).toEqual(['solana:signTransaction', 'solana:signTransaction'])
  expect(await readBalance(chain, bob)).toBe(before)
  await connection.sendRawTransaction(signed?.serialize() ?? new Uint8Array())
  expect(await readBalance(chain, bob)).toBe(before + 3_003n)
})

test('the adapter follows the account of the wallet, and reports its end', async () => {
  const { adapter, events, wallet } = setUp()
  await adapter.connect()
  wallet.setAccounts([bobKey])
  expect(adapter.publicKey?.toBase58()).toBe(bob)
  wallet.revoke()
  expect(adapter.connected).toBe(false)
  expect(events).toEqual([`connect ${alice}`, `connect ${bob}`, new WalletDisconnectedError().name, 'disconnect'])
})

test('the adapter throws its own errors, with the error of the wallet', async () => {
  const { adapter, connection, wallet } = setUp()
  const payment = await createPayment(connection, 1)
  wallet.rejectNext()
  const connecting = adapter.connect()
  await expect(connecting).rejects.toBeInstanceOf(WalletConnectionError)
  await expect(connecting).rejects.toMatchObject({ error: { code: 4001 } })
  await adapter.connect()
  wallet.rejectNext()
  const signing = adapter.signTransaction?.(payment)
  await expect(signing).rejects.toBeInstanceOf(WalletSignTransactionError)
  await expect(signing).rejects.toMatchObject({ error: { code: 4001, cause: { code: 'request/rejected' } } })
  wallet.rejectNext()
  const sending = adapter.sendTransaction(payment, connection)
  await expect(sending).rejects.toBeInstanceOf(WalletSendTransactionError)
  await expect(sending).rejects.toMatchObject({ error: { code: 4001 } })
})
