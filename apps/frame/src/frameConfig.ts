/** The configuration that the deployment writes into the frame's page. The embedding page can't change it. */
export type FrameConfig = {
  /** URLs of the auth service, the share store and the server with the RPC proxy, without a trailing slash. */
  readonly auth: string
  readonly shares: string
  readonly server: string
  /** URL of the relay of Farcaster logins, without a trailing slash. Neither key service runs it. */
  readonly farcasterRelay?: string
  /** Origin of this site. */
  readonly origin: string
  /** Networks that the wallet supports. */
  readonly networks: readonly FrameNetwork[]
  /** Project that embeds the page, as admitted by the server. `undefined` on top-level pages. */
  readonly projectId?: string
  /** Origins that may embed the page. `*` stands for one whole leading label. Other pages get no response. */
  readonly allowedOrigins: readonly string[]
}

export type FrameNetwork = {
  /** CAIP-2. */
  readonly chainId: string
  readonly name: string
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number }
  readonly explorer?: string
  /** Set if the network offers smart accounts: it has a bundler. */
  readonly smartAccounts?: {
    readonly entryPoint: `0x${string}`
    readonly factory: `0x${string}`
    readonly sponsored: boolean
    /** Set if the network can enforce permissions. */
    readonly delegations?: DelegationContracts
  }
}

/** Contracts of the Delegation Framework (ERC-7710). The manager is the one that the factory's accounts trust. */
export type DelegationContracts = {
  readonly manager: `0x${string}`
  readonly enforcers: {
    readonly allowedTargets: `0x${string}`
    readonly allowedMethods: `0x${string}`
    readonly exactCalldata: `0x${string}`
    readonly valueLte: `0x${string}`
    readonly nativeTokenTransferAmount: `0x${string}`
    readonly nativeTokenPeriodTransfer: `0x${string}`
    readonly erc20PeriodTransfer: `0x${string}`
    readonly timestamp: `0x${string}`
  }
}
