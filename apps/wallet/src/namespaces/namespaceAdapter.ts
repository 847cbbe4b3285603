import type { ChainId, Namespace, Network } from '@latchkey/protocol'
import type { KnownToken } from '../walletConfig.ts'
import type { Fee, TransactionSummary } from './transactionSummary.ts'
import type { Message, TypedDataSummary } from './typedDataSummary.ts'

/** One of the wallet's own accounts. */
export type Account = {
  namespace: Namespace
  address: string
  name: string
  /** Describes the source of the key, for display. */
  origin: string
}

/** The amount of one asset that an account holds, in base units. */
export type Balance = { asset: string; name: string; symbol: string; decimals: number; amount: bigint }

/** A session request for one of the wallet's namespaces. */
export type AdapterRequest = {
  method: string
  params: unknown
  network: Network
  /** The accounts that the session shares on this network, the selected account first. */
  accounts: readonly Account[]
  networks: readonly Network[]
  tokens: readonly KnownToken[]
}

/** A parsed request: the facts to show, and the action that runs after approval. */
export type DecodedRequest =
  | { kind: 'message'; account: Account; message: Message; execute(): Promise<unknown> }
  | { kind: 'typedData'; account: Account; data: TypedDataSummary; execute(): Promise<unknown> }
  | {
      kind: 'transaction'
      account: Account
      transaction: TransactionSummary
      /** @throws RpcError if the simulation fails or the network can't be reached */
      estimate(): Promise<Fee>
      execute(): Promise<unknown>
    }
  | { kind: 'switchNetwork'; network: Network }
  | {
      kind: 'addNetwork'
      network: Network
      /** @throws RpcError if the endpoint can't be reached or belongs to another network */
      check(): Promise<void>
    }

/** The wallet's support for one namespace: its keys, methods and network calls. Each adapter has its own folder. */
export type NamespaceAdapter = {
  namespace: Namespace
  /** At least one account. The first one is selected by default. */
  accounts: readonly [Account, ...Account[]]
  methods: readonly string[]
  events: readonly string[]
  /** @throws RpcError if no endpoint of the network responds */
  getBalances(network: Network, tokens: readonly KnownToken[], address: string): Promise<readonly Balance[]>
  /** @throws RpcError if the wallet can't carry out the request */
  decode(request: AdapterRequest): DecodedRequest
  /** Signs the sign-in message of a session proposal. Absent if the namespace has no sign-in. */
  signIn?(account: Account, text: string): Promise<string>
  /** The session properties that describe the shared accounts. Absent if the namespace defines none. */
  sessionProperties?(shared: readonly Account[]): Readonly<Record<string, string>>
  /** The session event that announces a changed account. */
  accountEvent(address: string, chainId: ChainId): { name: string; data: unknown }
  /** The session event that announces a changed network. */
  networkEvent(network: Network): { name: string; data: unknown } | undefined
}
