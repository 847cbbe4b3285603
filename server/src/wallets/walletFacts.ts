import { namespaces } from '@latchkey/protocol'
import { Type, type Static, type TString } from '@sinclair/typebox'
import type { SchemaProblem } from '../kit/config/parseWithSchema.ts'
import { choiceSchema, urlSchema } from '../kit/config/schemas.ts'

const pageSchema = urlSchema(['https'])

/** A link into an app. Clients open it, so it must not have a scheme that a browser runs as a script. */
const deepLinkSchema = Type.String({
  pattern: String.raw`^(?!(?:about|blob|data|file|http|javascript|vbscript):)[a-z][a-z0-9+.-]*:\S*$`,
  message: 'must be like wallet://',
})

function storePageSchema(start: string): TString {
  return Type.String({
    pattern: `^${start.replace(/[.?]/g, String.raw`\$&`)}`,
    message: `must begin with ${start}`,
  })
}

const walletFactsSchema = Type.Object(
  {
    /** Never changes, because the id of the entry is derived from it. */
    slug: Type.String({ pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$', message: 'must be like my-wallet' }),
    name: Type.String({
      maxLength: 40,
      pattern: String.raw`^\S+(?: \S+)*$`,
      message: 'must be at most 40 characters, words with one space between',
    }),
    homepage: Type.Optional(pageSchema),
    rdns: Type.Optional(
      Type.String({ pattern: String.raw`^[a-z0-9-]+(?:\.[a-z0-9-]+)+$`, message: 'must be like com.example.wallet' }),
    ),
    namespaces: Type.Array(choiceSchema(namespaces, `must be of: ${namespaces.join(', ')}`), {
      minItems: 1,
      message: 'needs at least one',
    }),
    mobile: Type.Optional(deepLinkSchema),
    desktop: Type.Optional(deepLinkSchema),
    webapp: Type.Optional(pageSchema),
    /** A web address that opens the wallet's app. */
    universal: Type.Optional(pageSchema),
    /** Store pages. */
    chrome: Type.Optional(storePageSchema('https://chromewebstore.google.com/detail/')),
    ios: Type.Optional(storePageSchema('https://apps.apple.com/')),
    android: Type.Optional(storePageSchema('https://play.google.com/store/apps/details?id=')),
  },
  { additionalProperties: false },
)

/** A wallet in a data file: facts that its makers publish. */
export type WalletFacts = Static<typeof walletFactsSchema>

/** The schema of a list of wallets: ours, and that of an operator. */
export const walletsSchema = Type.Array(walletFactsSchema)

/** Lists the wallets whose slug, name or reverse-DNS name occurs earlier in the list. */
export function findDuplicateWallets(wallets: readonly WalletFacts[]): readonly SchemaProblem[] {
  return (['slug', 'name', 'rdns'] as const).flatMap((key) => {
    const values = wallets.map((wallet) => wallet[key]?.toLowerCase())
    return values.flatMap((value, index) =>
      value !== undefined && values.indexOf(value) < index
        ? [{ path: `${index}.${key}`, message: 'is there twice' }]
        : [],
    )
  })
}

/** Adds wallets to a list. They replace those with the same slug. */
export function withWallets(list: readonly WalletFacts[], own: readonly WalletFacts[]): readonly WalletFacts[] {
  const listed = new Set(list.map(({ slug }) => slug))
  const bySlug = new Map(own.map((wallet) => [wallet.slug, wallet]))
  return [...list.map((wallet) => bySlug.get(wallet.slug) ?? wallet), ...own.filter(({ slug }) => !listed.has(slug))]
}
