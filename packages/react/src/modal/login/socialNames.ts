import type { SocialProvider } from '@latchkey/core'

/** The names that people know the providers by; they are the same in every language. */
export const socialNames: { readonly [provider in SocialProvider]: string } = {
  apple: 'Apple',
  discord: 'Discord',
  facebook: 'Facebook',
  farcaster: 'Farcaster',
  github: 'GitHub',
  google: 'Google',
  x: 'X',
}
