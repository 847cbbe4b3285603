import type { SocialProvider } from '@latchkey/core'
import type { Environment } from '../pairing/environment.ts'

/** Providers whose page does not work in the web view of an app, by where the page is drawn. */
const unusable: { readonly [place: string]: readonly SocialProvider[] | undefined } = {
  'telegram ios': ['google'],
  'telegram android': ['facebook', 'x'],
  'telegram desk': ['x'],
  'app ios': ['google', 'facebook'],
  'app android': ['google', 'facebook'],
}

/** The social logins that can be finished where the page is drawn. */
export function usableSocials(socials: readonly SocialProvider[], { host, system }: Environment): typeof socials {
  return socials.filter((social) => unusable[`${host} ${system}`]?.includes(social) !== true)
}
