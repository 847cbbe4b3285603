/** The login providers, by their name in the icon package. */
const socials = ['apple', 'discord', 'facebook', 'farcaster', 'github', 'google', 'x']

/** These brands ask for black or white, so they take the colour of the text. */
const inTextColour = ['apple', 'github', 'x']

/**
 * Renders the module with the drawings of the login providers.
 *
 * @param {import('./iconSources.mjs').IconSources} sources
 */
export function renderSocialPaths({ brand }) {
  const lines = socials.map((social) => {
    const { path, hex } = brand(social)
    const colour = inTextColour.includes(social) ? 'currentColor' : `#${hex.toLowerCase()}`
    return `  ${social}: { colour: '${colour}', path: '${path}' },`
  })
  return `import type { SocialProvider } from '@latchkey/core'

/**
 * The brand icons of the login providers, on 24 by 24 units. Written by scripts/icons/build-icons.mjs from simple-icons (CC0). The
 * marks belong to their owners; see server/src/wallets/icons/NOTICE.md.
 */
export const socialPaths: { readonly [social in SocialProvider]: { colour: string; path: string } } = {
${lines.join('\n')}
}
`
}
