// The modules that the documentation's examples import from frameworks that are not installed, and from each other.
declare module 'next/headers' {
  export function headers(): Promise<Pick<Headers, 'get'>>
}
declare module '@/app/Wallet' {
  export function Wallet(props: { cookie: string; children: import('react').ReactNode }): import('react').ReactElement
}
