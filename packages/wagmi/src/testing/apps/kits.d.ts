// The apps in this folder import RainbowKit and ConnectKit. An alias of the bundler replaces them, and so do these declarations.

declare module '@rainbow-me/rainbowkit' {
  export * from '@latchkey/wagmi/rainbowkit'
}
declare module 'connectkit' {
  export * from '@latchkey/wagmi/connectkit'
}
