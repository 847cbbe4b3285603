import type { ChainId, Namespace, Network } from '@latchkey/protocol'
import type { KnownToken } from '../config.ts'
import type { Fee, Message, TransactionSummary, TypedDataSummary } from './question.ts'

/** One of the wallet's own accounts. */
export type Account = {
  namespace: Namespace
  address: string
  name: string
  /** Where its key comes from, for people. */
  origin: string
}

/** What an account has of one asset. */
export type Balance = { asset: string; name: string; symbol: string; decimals: number; amount: bigint }

/** What an app asks inside of a session, for one of the wallet's families. */
export type FamilyRequest = {
  method: string
  params: unknown
  network: Network
  /** The accounts that the session shares on this network, the selected one first. */
  accounts: readonly Account[]
  networks: readonly Network[]
  tokens: readonly KnownToken[]
}

/** A request read: what a person is asked, and what is done on a yes. */
export type Question =
  | { kind: 'message'; account: Account; message: Message; answer(): Promise<unknown> }
  | { kind: 'typedData'; account: Account; data: TypedDataSummary; answer(): Promise<unknown> }
  | {
      kind: 'transaction'
      account: Account
      transaction: TransactionSummary
      /** @throws RpcError when the network says that it would fail, or says nothing. */
      estimate(): Promise<Fee>
      answer(): Promise<unknown>
    }
  | { kind: 'switchNetwork'; network: Network }
  | {
      kind: 'addNetwork'
      network: Network
      /** @throws RpcError unless the network's endpoint answers and is of that network. */
      check(): Promise<void>
    }

/** A chain family as the wallet knows it: its keys, its words, its calls. A new one is a new folder beside `evm/`. */
export type Family = {
  namespace: Namespace
  /** At least one; the first is the one to begin with. */
  accounts: readonly [Account, ...Account[]]
  methods: readonly string[]
  events: readonly string[]
  /** @throws RpcError when no endpoint of the network answers. */
  balances(network: Network, tokens: readonly KnownToken[], address: string): Promise<readonly Balance[]>
  /** @throws RpcError when the request is not one that could be carried out. */
  read(request: FamilyRequest): Question
  /** Signs what is asked for along with a connection; absent where nothing can be. */
  signIn?(account: Account, text: string): Promise<string>
  /** What apps are told of the accounts that they get, where the family has properties for that. */
  sessionProperties?(shared: readonly Account[]): Readonly<Record<string, string>>
  /** What an app is told when its account changes to this one. */
  accountEvent(address: string, chainId: ChainId): { name: string; data: unknown }
  /** What an app is told when its network changes to this one. */
  networkEvent(network: Network): { name: string; data: unknown } | undefined
}
