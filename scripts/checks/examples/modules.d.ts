// The modules that the documentation's examples import from frameworks that are not installed, and from each other.
declare module 'next/headers' {
  export function headers(): Promise<Pick<Headers, 'get'>>
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
declare module '@/app/Wallet' {
  export function Wallet(props: { cookie: string; children: import('react').ReactNode }): import('react').ReactElement
}
