import { connect, createLatchkey, memoryStorage, start, type Latchkey } from '@latchkey/core'
import { solanaAddresses, startSolana, type LocalSolana } from '@latchkey/devnet'
import {
  createSimulatedSolanaWallet,
  registerSolanaWallet,
  testKeys,
  type SimulatedSolanaOptions,
  type SimulatedSolanaWallet,
} from '@latchkey/testkit'
import {
  AccountRole,
  address,
  appendTransactionMessageInstruction,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  createTransactionMessage,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  type KeyPairSigner,
  type TransactionSigner,
} from '@solana/kit'
import { solanaDevnet } from '../chain/solanaNetworks.ts'
import { solana } from '../solana.ts'
import { systemProgram } from '../transfers/programs.ts'

export const [aliceKey, bobKey] = testKeys.solana.slice(1) as [string, string]
export const [alice, bob] = solanaAddresses.slice(1).map((each) => address(each)) as [
  ReturnType<typeof address>,
  ReturnType<typeof address>,
]

/** Starts the local Solana runtime. */
export async function startLocalSolana(): Promise<LocalSolana> {
  const started = await startSolana()
  if (started === undefined) throw new Error('The Solana runtime is not installed.')
  return started
}

/** An instance in a page with one wallet, which is not connected. */
export type SolanaTestWorld = {
  latchkey: Latchkey
  wallet: SimulatedSolanaWallet
  page: EventTarget
  connect(): Promise<string>
  stop(): void
}

/** Creates an instance for a local chain, which is also its second network. */
export function createSolanaWorld(chain: LocalSolana, options: Partial<SimulatedSolanaOptions> = {}): SolanaTestWorld {
  const page = new EventTarget()
  const rpcUrls = { 'solana:localnet': chain.rpcUrl, 'solana:devnet': chain.rpcUrl }
  const wallet = createSimulatedSolanaWallet({ privateKeys: [aliceKey, bobKey], rpcUrls, ...options })
  registerSolanaWallet(wallet, page)
  const devnet = { ...solanaDevnet, rpcUrls: { default: { http: [chain.rpcUrl] } } }
  const latchkey = createLatchkey({
    adapters: [solana({ networks: [chain.network, devnet], page })],
    storage: memoryStorage(),
  })
  const stop = start(latchkey)
  return { latchkey, wallet, page, connect: () => connect(latchkey, `solana/${wallet.info.name}`), stop }
}

/** Returns the names of the signing requests that a wallet received. */
export function listSigningRequests({ requests }: SimulatedSolanaWallet): readonly string[] {
  return requests.map(({ method }) => method).filter((method) => method.startsWith('solana:'))
}

/** Reads a balance in lamports. */
export async function readBalance({ rpcUrl }: LocalSolana, owner: string): Promise<bigint> {
  return (await createSolanaRpc(rpcUrl).getBalance(address(owner)).send()).value
}

/** A signer with a key of its own. */
export function createKeySigner(seed: number): Promise<KeyPairSigner> {
  return createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(seed))
}

/** Creates a payment to Bob, which a second signer may have to sign too. */
export async function createPaymentMessage(
  { rpcUrl }: LocalSolana,
  payer: TransactionSigner,
  lamports: bigint,
  cosigner?: TransactionSigner,
) {
  const { value } = await createSolanaRpc(rpcUrl).getLatestBlockhash().send()
  const data = new Uint8Array(12)
  new DataView(data.buffer).setUint32(0, 2, true)
  new DataView(data.buffer).setBigUint64(4, lamports, true)
  const accounts = [
    { address: payer.address, role: AccountRole.WRITABLE_SIGNER, signer: payer } as const,
    { address: bob, role: AccountRole.WRITABLE } as const,
    ...(cosigner === undefined
      ? []
      : [{ address: cosigner.address, role: AccountRole.READONLY_SIGNER, signer: cosigner } as const]),
  ]
  return pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(payer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(value, paid),
    (living) => appendTransactionMessageInstruction({ programAddress: systemProgram, accounts, data }, living),
  )
}
