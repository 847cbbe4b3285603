// The apps in this folder import the packages of AppKit. An alias of the bundler replaces them, and so do these declarations.

declare module '@reown/appkit' {
  export * from '@latchkey/appkit'
}
declare module '@reown/appkit/react' {
  export * from '@latchkey/appkit/react'
}
declare module '@reown/appkit/networks' {
  export * from '@latchkey/appkit/networks'
}
declare module '@reown/appkit-adapter-wagmi' {
  export * from '@latchkey/appkit/adapter-wagmi'
}
declare module '@reown/appkit-adapter-ethers' {
  export * from '@latchkey/appkit/adapter-ethers'
}
declare module '@reown/appkit-adapter-solana' {
  export * from '@latchkey/appkit/adapter-solana'
}
declare module '@reown/appkit-adapter-solana/react' {
  export * from '@latchkey/appkit/adapter-solana/react'
}
declare module '@reown/appkit-adapter-bitcoin' {
  export * from '@latchkey/appkit/adapter-bitcoin'
}
declare module '@reown/appkit-siwx' {
  export * from '@latchkey/appkit/siwx'
}
declare module '@reown/appkit-siwx/react' {
  export * from '@latchkey/appkit/siwx/react'
}
declare module '@reown/appkit-wallet-button' {
  export * from '@latchkey/appkit/wallet-button'
}
declare module '@reown/appkit-wallet-button/react' {
  export * from '@latchkey/appkit/wallet-button/react'
}
