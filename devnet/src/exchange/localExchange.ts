import type { Account, Hex, HttpTransport, PublicActions, TestClient, WalletActions } from 'viem'

/** The contracts of the exchange, at the same addresses on every local chain. */
export type LocalExchange = {
  wrappedNative: Hex
  /** Swaps in pools of both versions. */
  router: Hex
  v2: { factory: Hex; router: Hex }
  v3: { factory: Hex; quoter: Hex; positions: Hex }
}

/** One transaction of the deployer. */
export type Call = { to: Hex; data: Hex; value?: bigint }

/** The client that deploys the exchange. */
export type ExchangeNode = TestClient<'anvil', HttpTransport, undefined, Account, true> &
  PublicActions<HttpTransport, undefined, Account> &
  WalletActions<undefined, Account>
