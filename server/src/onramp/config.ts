import type { Hex } from 'viem'
import { z } from 'zod'

/** What one unit of each asset costs, by the asset's symbol and the currency. */
export type Rates = Readonly<Record<string, Readonly<Record<string, string>>>>

/** What a server is told of on-ramps; a provider without its key does not exist. */
export type OnRampConfig = {
  /** Pays out of an account of a development chain what nobody really paid for. */
  sandbox?: { key: Hex; rates: Rates }
  coinbase?: { keyId: string; keySecret: string; country: string; url: string }
  meld?: { key: string; country: string; url: string }
}

const decimalText = z.string().regex(/^\d{1,12}(\.\d{1,8})?$/, 'must be a decimal number as text')

const key = z
  .string()
  .trim()
  .regex(/^0x[0-9a-f]{64}$/i, 'must be 32 bytes in hexadecimal')
  // The pattern is that of the type.
  .transform((text) => text as Hex)

const url = z.url({ protocol: /^https?$/, error: 'must begin with http:// or https://' })

/** The part of the configuration that on-ramps read. `fromJson` reads a variable as JSON. */
export const onRampConfig = {
  ONRAMP_SANDBOX_KEY: key.optional(),
  ONRAMP_SANDBOX_RATES: z
    .string()
    .default('{}')
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        context.addIssue('is not JSON')
        return z.NEVER
      }
    })
    .pipe(z.record(z.string(), z.record(z.string(), decimalText))),
  ONRAMP_COUNTRY: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be a country code of two letters')
    .default('US'),
  ONRAMP_COINBASE_KEY_ID: z.string().optional(),
  ONRAMP_COINBASE_KEY_SECRET: z.string().optional(),
  ONRAMP_COINBASE_URL: url.default('https://api.developer.coinbase.com'),
  ONRAMP_MELD_KEY: z.string().optional(),
  ONRAMP_MELD_URL: url.default('https://api.meld.io'),
}

type Given = z.infer<z.ZodObject<typeof onRampConfig>>

/** The providers that a configuration has keys for. */
export function readOnRamp(given: Given): OnRampConfig {
  const { ONRAMP_SANDBOX_KEY: sandboxKey, ONRAMP_COUNTRY: country, ONRAMP_MELD_KEY: meldKey } = given
  const { ONRAMP_COINBASE_KEY_ID: keyId, ONRAMP_COINBASE_KEY_SECRET: keySecret } = given
  return {
    ...(sandboxKey !== undefined && { sandbox: { key: sandboxKey, rates: given.ONRAMP_SANDBOX_RATES } }),
    ...(keyId !== undefined &&
      keySecret !== undefined && { coinbase: { keyId, keySecret, country, url: given.ONRAMP_COINBASE_URL } }),
    ...(meldKey !== undefined && { meld: { key: meldKey, country, url: given.ONRAMP_MELD_URL } }),
  }
}
