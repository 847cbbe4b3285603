import { Type } from '@sinclair/typebox'
import { choiceSchema, webUrlSchema } from '../config/schemas.ts'

/** The supported kinds of providers. */
export const dataProviderKinds = ['blockscout', 'etherscan', 'goldrush', 'coingecko', 'esplora', 'subscan'] as const

/** A third-party service with data about a chain. */
export type DataProvider = {
  kind: (typeof dataProviderKinds)[number]
  /** The base URL, if it differs from the usual one. */
  url?: string
  /** The operator's API key. It is sent to the provider only and never logged. */
  key?: string
  /** The provider's name of the chain, if it does not use chain ids. */
  network?: string
  /** The provider's name of the native currency: CoinGecko's coin id. */
  coin?: string
}

const nameSchema = Type.String({
  pattern: '^[A-Za-z0-9._-]{1,64}$',
  message: 'must consist of letters, digits, dots and dashes',
})
const needsUrl = Type.Union([Type.Literal('blockscout'), Type.Literal('esplora'), Type.Literal('subscan')])
const needsNetwork = Type.Union([Type.Literal('goldrush'), Type.Literal('coingecko')])

/** The schema of a data provider of a configured chain. */
export const dataProviderSchema = Type.Intersect([
  Type.Object({
    kind: choiceSchema(dataProviderKinds),
    url: Type.Optional(webUrlSchema),
    key: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
    network: Type.Optional(nameSchema),
    coin: Type.Optional(nameSchema),
  }),
  Type.Union([Type.Object({ url: Type.String() }), Type.Object({ kind: Type.Not(needsUrl) })], {
    message: 'blockscout, esplora and subscan need a url: each chain has its own',
  }),
  Type.Union([Type.Object({ network: Type.String() }), Type.Object({ kind: Type.Not(needsNetwork) })], {
    message: 'goldrush and coingecko need a network: their name of the chain',
  }),
])
