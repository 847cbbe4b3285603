// The values that the code blocks of one document use without declaring them, because the reader's app has them. A block imports the names that it uses by itself.
declare module 'devnet/README.md' {
  const dataDir: string
}
declare module 'docs/embedded-wallet.md' {
  const session: { address: string }
  const usdc: string
}
declare module 'docs/names.md' {
  const universalResolverAddress: `0x${string}`
}
declare module 'docs/sign-in.md' {
  import type { SignInSession } from '@latchkey/core'
  import type { ChainId } from '@latchkey/protocol'
  import type { Express, Request, Response } from 'express'
  type Sessions = { message: string; signature: string; data: SignInSession['data'] }[]
  type RequestWithSession = Request & {
    session: { nonce?: string | undefined; sessions?: Sessions }
    body: { sessions: { message: string; signature: string }[] }
  }
  type Route = (path: string, handle: (request: RequestWithSession, response: Response) => unknown) => void
  const app: Record<'get' | 'post' | 'delete', Route>
  const rpcUrls: Readonly<Record<ChainId, string>>
  const yourNode: {
    getTxOut(transactionId: string, index: number): Promise<{ script: string; value: bigint } | undefined>
  }
}
declare module 'docs/start/sign-in-server.md' {
  import type { Express, Request } from 'express'
  import type { SignInSession } from '@latchkey/core'
  const app: Express
  function findSessions(sessionId?: string): SignInSession[]
  function getCookie(request: Request, name: 'nonce' | 'session'): string | undefined
}
declare module 'docs/theming.md' {
  const trustedTypes: { createPolicy(name: string, rules: { createHTML(html: string): string }): unknown }
}
declare module 'docs/universal-provider.md' {
  const provider: import('@latchkey/walletconnect/provider').UniversalProvider
}
declare module 'faults/README.md' {
  const port: number
}
declare module 'packages/bitcoin/README.md' {
  const unsigned: string
}
declare module 'packages/latchkey-frame/README.md' {
  const publicKey: string
}
declare module 'packages/modal/README.md' {
  function render(state: object): void
}
declare module 'packages/polkadot/README.md' {
  const payload: import('@latchkey/polkadot').PolkadotPayload
}
declare module 'packages/react/README.md' {
  const request: Request
}
declare module 'packages/solana/README.md' {
  const myNode: string
}
declare module 'packages/testkit/README.md' {
  const key: `0x${string}`
  const seed: string
  const page: import('@playwright/test').Page
  function requestLogin(address: string): Promise<void>
}
declare module 'packages/verify/README.md' {
  const nonce: string
  const rpcUrls: Readonly<Record<string, string>>
  function welcome(account: string): void
  function refuse(reason: string): void
}
declare module 'packages/walletconnect/README.md' {
  function nonceFromYourServer(): Promise<string>
}
