import type { SocialProvider } from '@latchkey/core'

/** The names of the providers, equal in all languages. */
export const socialNames: { readonly [provider in SocialProvider]: string } = {
  apple: 'Apple',
  discord: 'Discord',
  facebook: 'Facebook',
  farcaster: 'Farcaster',
  github: 'GitHub',
  google: 'Google',
  x: 'X',
}
