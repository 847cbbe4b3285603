import { Type } from '@sinclair/typebox'
import { choiceSchema, webUrlSchema } from '../config/schemas.ts'

/** The supported kinds of providers. */
export const dataProviderKinds = [
  'blockscout',
  'etherscan',
  'goldrush',
  'coingecko',
  'esplora',
  'electrum',
  'subscan',
] as const

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
const needsUrl = Type.Union([
  Type.Literal('blockscout'),
  Type.Literal('esplora'),
  Type.Literal('electrum'),
  Type.Literal('subscan'),
])
/** Only a server on the same machine may be reached without TLS. */
const electrumUrl = String.raw`^(?:ssl://(?:[^\s/?#@:\[\]]+|\[[0-9a-fA-F:.]+\])|tcp://(?:127\.0\.0\.1|localhost|\[::1\])):\d{1,5}$`
const needsNetwork = Type.Union([Type.Literal('goldrush'), Type.Literal('coingecko')])

/** The schema of a data provider of a configured chain. */
export const dataProviderSchema = Type.Intersect([
  Type.Object({
    kind: choiceSchema(dataProviderKinds),
    url: Type.Optional(Type.String()),
    key: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
    network: Type.Optional(nameSchema),
    coin: Type.Optional(nameSchema),
  }),
  Type.Union(
    [
      Type.Object({ kind: Type.Not(Type.Literal('electrum')) }),
      Type.Object({ url: Type.Optional(Type.String({ pattern: electrumUrl })) }),
    ],
    { message: 'electrum needs a url of the form ssl://host:port, or tcp://localhost:port' },
  ),
  Type.Union([Type.Object({ kind: Type.Literal('electrum') }), Type.Object({ url: Type.Optional(webUrlSchema) })], {
    message: 'must begin with http:// or https://',
  }),
  Type.Union([Type.Object({ url: Type.String() }), Type.Object({ kind: Type.Not(needsUrl) })], {
    message: 'blockscout, esplora, electrum and subscan need a url: each chain has its own',
  }),
  Type.Union([Type.Object({ network: Type.String() }), Type.Object({ kind: Type.Not(needsNetwork) })], {
    message: 'goldrush and coingecko need a network: their name of the chain',
  }),
])
