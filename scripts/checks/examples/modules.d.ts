// The modules that the documentation's examples import from frameworks that are not installed, and from each other.
declare module 'next/headers' {
  export function headers(): Promise<Pick<Headers, 'get'>>
}
declare module 'react-router' {
  export type LoaderFunctionArgs = { request: Request; params: Readonly<Record<string, string | undefined>> }
  export function Outlet(): import('react').ReactElement
  export function useLoaderData<loader extends (args: LoaderFunctionArgs) => unknown>(): Awaited<ReturnType<loader>>
}
declare module '@solana/wallet-adapter-react' {
  import type { ReactElement, ReactNode } from 'react'
  export function ConnectionProvider(props: { endpoint: string; children: ReactNode }): ReactElement
  export function WalletProvider(props: {
    wallets: readonly object[]
    autoConnect?: boolean
    children: ReactNode
  }): ReactElement
}
declare module '*/Wallet' {
  export function Wallet(props: { cookie: string; children: import('react').ReactNode }): import('react').ReactElement
}
declare module '@ethersproject/providers' {
  /** The types of version 5, as far as an example uses them. */
  export class Web3Provider {
    constructor(
      provider: { request?: (request: { method: string; params?: unknown[] }) => Promise<unknown> },
      network?: 'any',
    )
    getSigner(): { getAddress(): Promise<string> }
  }
}
declare module '*/latchkey.js' {
  export * from '@latchkey/script'
}
declare module '*.vue' {
  const component: import('vue').Component
  export default component
}
