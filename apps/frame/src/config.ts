/** What the deployment writes into the frame's page; nothing of it comes from the page that embeds it. */
export type FrameConfig = {
  /** The auth service, the share store and the server with the RPC proxy, each without a slash at its end. */
  readonly auth: string
  readonly shares: string
  readonly server: string
  /** This site's own origin. */
  readonly origin: string
  /** The networks that the wallet acts on. */
  readonly networks: readonly FrameNetwork[]
  /** The project that embeds the page, as the server admitted it; undefined on top-level pages. */
  readonly projectId?: string
  /** Pages that may embed, besides which nothing is answered: `*` for one whole leading label. */
  readonly allowedOrigins: readonly string[]
}

export type FrameNetwork = {
  /** CAIP-2. */
  readonly chainId: string
  readonly name: string
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number }
  readonly explorer?: string
  /** Where smart accounts are offered: there is a bundler for the chain. */
  readonly smartAccounts?: {
    readonly entryPoint: `0x${string}`
    readonly factory: `0x${string}`
    readonly sponsored: boolean
  }
}
