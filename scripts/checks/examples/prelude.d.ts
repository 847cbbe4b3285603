// Values that the `@example` blocks of the packages use without declaring them.
import type { Adapter, Clock, Connection, Connector, Latchkey, Provider } from '@latchkey/core'
import type { AccountId, ChainId, LatchkeyError, Network, SignInMessage } from '@latchkey/protocol'
import type { UniversalProvider } from '@latchkey/walletconnect/provider'
import type { AuthenticateRequest } from '@latchkey/walletconnect/wallet'

declare global {
  const latchkey: Latchkey
  const error: unknown
  const id: string
  const account: AccountId
  const chainId: ChainId
  const from: AccountId
  const to: string
  const address: string
  const hash: string
  const signature: string
  const message: string
  const uri: string
  const reason: string
  const projectId: string
  const relayUrl: string
  const value: bigint
  const bytes: Uint8Array
  const publicKeyBytes: Uint8Array
  const signatureBytes: Uint8Array
  const network: Network
  const otherNetwork: Network
  const networks: readonly Network[]
  const adapters: readonly Adapter[]
  const connectors: readonly Connector[]
  const connection: Connection
  const provider: Provider
  const metadata: { name: string; description: string; url: string; icons: string[] }
  const signal: AbortSignal
  const signInMessage: SignInMessage
  const universalProvider: UniversalProvider
  const authenticateRequest: AuthenticateRequest
  const button: HTMLButtonElement
  const clock: Clock
  const rpcUrl: string
  function loadConnector(): Connector
  const headers: Headers
  function show(...values: readonly unknown[]): void
  function showQrCode(uri: string): void
  const lostError: LatchkeyError
  /** Functions of the reader's app, and of libraries that an example uses. */
  function addWallets(...wallets: readonly unknown[]): void
  function afterAll(end: () => unknown): void
  function clientOf(chainId: ChainId): {
    verifyMessage(message: object): Promise<boolean>
    verifyTypedData(message: object): Promise<boolean>
  }
  function findReceipt(hash: string): Promise<undefined>
  function readFile(path: string): Promise<Uint8Array<ArrayBuffer>>
  function personalSign(account: AccountId, message: string): Promise<string>
  const reply: ((message: object) => void) & { code(status: number): { send(body: unknown): unknown } }
  function sign(...values: readonly unknown[]): never
  function subscribe(...values: readonly unknown[]): () => void
  function warn(...values: readonly unknown[]): void
}
