import { namespaces } from '@latchkey/protocol'
import { z } from 'zod'

const page = z.url({ protocol: /^https$/, error: 'must begin with https://' })

/** A link into an app; the clients open it, so it must not be one that a browser runs as a script. */
const deepLink = z
  .string()
  .regex(/^(?!(?:about|blob|data|file|http|javascript|vbscript):)[a-z][a-z0-9+.-]*:\S*$/, 'must be like wallet://')

const storePage = (start: string): z.ZodString => z.string().startsWith(start, `must begin with ${start}`)

const walletFacts = z.strictObject({
  /** Never changes, for the entry's id is made of it. */
  slug: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be like my-wallet'),
  name: z
    .string()
    .max(40, 'must be at most 40 characters')
    .regex(/^\S+(?: \S+)*$/, 'must be words with one space between'),
  homepage: page.optional(),
  rdns: z
    .string()
    .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, 'must be like com.example.wallet')
    .optional(),
  namespaces: z.array(z.enum(namespaces, `must be of: ${namespaces.join(', ')}`)).min(1, 'needs at least one'),
  mobile: deepLink.optional(),
  desktop: deepLink.optional(),
  webapp: page.optional(),
  /** Web address that opens its app. */
  universal: page.optional(),
  /** Where it can be got. */
  chrome: storePage('https://chromewebstore.google.com/detail/').optional(),
  ios: storePage('https://apps.apple.com/').optional(),
  android: storePage('https://play.google.com/store/apps/details?id=').optional(),
})

/** A wallet as a data file has it: facts that its makers publish. */
export type WalletFacts = z.infer<typeof walletFacts>

/** A list of wallets: ours, and that of an operator. */
export const walletsSchema = z.array(walletFacts).superRefine((wallets, context) => {
  for (const key of ['slug', 'name', 'rdns'] as const) {
    const seen = new Set<string>()
    for (const [index, wallet] of wallets.entries()) {
      const value = wallet[key]?.toLowerCase()
      if (value === undefined) continue
      if (seen.has(value)) context.addIssue({ code: 'custom', path: [index, key], message: 'is there twice' })
      seen.add(value)
    }
  }
})

/** Puts wallets into a list: in the place of those with the same slug, else at the end. */
export function withWallets(list: readonly WalletFacts[], own: readonly WalletFacts[]): readonly WalletFacts[] {
  const listed = new Set(list.map(({ slug }) => slug))
  const bySlug = new Map(own.map((wallet) => [wallet.slug, wallet]))
  return [...list.map((wallet) => bySlug.get(wallet.slug) ?? wallet), ...own.filter(({ slug }) => !listed.has(slug))]
}
