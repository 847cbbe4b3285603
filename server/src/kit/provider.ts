import { z } from 'zod'

/** Kinds of providers whose published interfaces are spoken. */
export const providerKinds = ['blockscout', 'etherscan', 'goldrush', 'coingecko'] as const

/** Somebody else's service that tells of a chain. */
export type Provider = {
  kind: (typeof providerKinds)[number]
  /** Where it is, when not at its usual address. */
  url?: string
  /** What it knows the operator by. It goes to that address alone, and into no log. */
  key?: string
  /** What it calls the chain, where it does not count chains as everybody does. */
  network?: string
  /** What it calls the native currency: CoinGecko's id of the coin. */
  coin?: string
}

const name = z.string().regex(/^[a-z0-9._-]{1,64}$/i, 'must be of letters, digits, dots and dashes')

/** A provider of a configured chain. */
export const providerSchema = z
  .object({
    kind: z.enum(providerKinds),
    url: z.url({ protocol: /^https?$/ }).optional(),
    key: z.string().min(1).max(512).optional(),
    network: name.optional(),
    coin: name.optional(),
  })
  .refine(({ kind, url }) => kind !== 'blockscout' || url !== undefined, 'blockscout needs a url: it has one a chain')
  .refine(
    ({ kind, network }) => !['goldrush', 'coingecko'].includes(kind) || network !== undefined,
    'goldrush and coingecko need a network: what they call the chain',
  )
