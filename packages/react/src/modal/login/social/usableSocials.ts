import type { SocialProvider } from '@latchkey/core'
import type { Environment } from '../../pairing/environment.ts'

/** Providers whose page does not work inside other apps, by host. */
const unusable: { readonly [place: string]: readonly SocialProvider[] | undefined } = {
  'telegram ios': ['google'],
  'telegram android': ['facebook', 'x'],
  'telegram desk': ['x'],
  'app ios': ['google', 'facebook'],
  'app android': ['google', 'facebook'],
}

/** Returns the social logins that work in the current environment. */
export function usableSocials(socials: readonly SocialProvider[], { host, system }: Environment): typeof socials {
  return socials.filter((social) => unusable[`${host} ${system}`]?.includes(social) !== true)
}
