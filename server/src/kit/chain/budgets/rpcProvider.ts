import { Type } from '@sinclair/typebox'

/** A provider of RPC endpoints. Its endpoints share one budget, in the units that the provider bills. */
export type RpcProvider = {
  /** Names the provider in metrics. URLs contain keys. */
  name: string
  /** Beginnings of the URLs of its endpoints. `*` stands for any characters except a slash. */
  endpoints: readonly string[]
  /** The most units per second. Unlimited if omitted. */
  unitsPerSecond?: number
  /** The most units in 24 hours. Unlimited if omitted. */
  unitsPerDay?: number
  /** The units of a method. `default` is the weight of all others, 1 if omitted. */
  weights?: Readonly<Record<string, number>>
  /** The share of the budget that one chain may use, from 0 to 1. Default: 0.5 if several chains share the provider. */
  chainShare?: number
}

const limitSchema = Type.Number({ exclusiveMinimum: 0, maximum: 1e12, message: 'must be a number above 0' })
const weightSchema = Type.Number({ minimum: 0, maximum: 1e6, message: 'must be a number from 0 on' })

/** The schema of the configured providers of RPC endpoints. */
export const rpcProvidersSchema = Type.Array(
  Type.Object({
    name: Type.String({ pattern: '^[a-z0-9-]{1,32}$', message: 'must consist of small letters, digits and dashes' }),
    endpoints: Type.Array(
      Type.String({ pattern: String.raw`^https?://\S{1,1000}$`, message: 'must begin with http:// or https://' }),
      { minItems: 1, maxItems: 1_000 },
    ),
    unitsPerSecond: Type.Optional(limitSchema),
    unitsPerDay: Type.Optional(limitSchema),
    weights: Type.Optional(Type.Record(Type.String({ pattern: '^[A-Za-z0-9_]{1,64}$' }), weightSchema)),
    chainShare: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, maximum: 1, message: 'must be a number above 0, up to 1' }),
    ),
  }),
  { maxItems: 100 },
)

/** Lists providers with the same name, whose budgets would be one. */
export function findDuplicateProviders(
  providers: readonly { name: string }[],
): readonly { path: string; message: string }[] {
  const names = providers.map(({ name }) => name)
  return names.flatMap((name, index) =>
    names.indexOf(name) === index ? [] : [{ path: `${index}.name`, message: 'is the name of another provider' }],
  )
}

/** True if a URL belongs to a provider. Characters of the host end at a slash, so that no other host can match. */
export function hasEndpoint({ endpoints }: RpcProvider, url: string): boolean {
  return endpoints.some((beginning) => {
    const pattern = beginning.split('*').map(escapePattern).join('[^/]*')
    return new RegExp(`^${pattern}${beginning.endsWith('/') ? '' : '(?:[/?]|$)'}`, 'i').test(url)
  })
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}
