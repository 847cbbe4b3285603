import { readFileSync } from 'node:fs'

/** A picture as the server sends it. */
export type Picture = { type: 'image/svg+xml' | 'image/webp'; body: string | Buffer }

/** The brand icons that scripts/icons/build-icons.mjs collects. Their sources are listed in the data files. */
export type BrandIcons = {
  /**
   * Finds an icon.
   *
   * @param key a CAIP-2 id of a network, the slug of a wallet, or for tokens the symbol of a native currency or a CAIP-2 id
   *   with a token address, such as `eip155:1:0xa0b8…`
   */
  find(kind: BrandIconKind, key: string): Picture | undefined
}

export type BrandIconKind = 'networks' | 'tokens' | 'wallets'

/** An entry of a data file. It has one of `svg` and `webp`. */
type StoredIcon = { id: string; for: readonly string[]; source: string; svg?: string; webp?: string }

/** The data files of each kind, each of at most 1 MB. */
export const brandIconFiles: { readonly [kind in BrandIconKind]: readonly string[] } = {
  networks: ['networks.json'],
  tokens: ['tokens.json', 'moreTokens.json'],
  wallets: ['wallets.json'],
}

/** No brand icons, for operators who switch them off. */
export const noBrandIcons: BrandIcons = { find: () => undefined }

/** Reads the brand icons from the repository's data files. */
export function readBrandIcons(): BrandIcons {
  const kinds = { networks: readKind('networks'), tokens: readKind('tokens'), wallets: readKind('wallets') }
  return { find: (kind, key) => kinds[kind].get(key) }
}

function readKind(kind: BrandIconKind): ReadonlyMap<string, Picture> {
  return new Map(
    readStoredIcons(kind).flatMap((icon) => {
      const picture = toPicture(icon)
      return icon.for.map((key) => [key, picture] as const)
    }),
  )
}

/** Reads the data files of a kind. */
export function readStoredIcons(kind: BrandIconKind): readonly StoredIcon[] {
  return brandIconFiles[kind].flatMap((name) => {
    // The path is valid from the sources and from the build.
    const file = new URL(`../../../src/wallets/icons/${name}`, import.meta.url)
    // Our own file, checked by a test.
    return JSON.parse(readFileSync(file, 'utf8')) as readonly StoredIcon[]
  })
}

function toPicture({ svg, webp = '' }: StoredIcon): Picture {
  if (svg !== undefined) return { type: 'image/svg+xml', body: svg }
  return { type: 'image/webp', body: Buffer.from(webp, 'base64') }
}
