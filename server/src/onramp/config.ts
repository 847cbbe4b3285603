import type { Hex } from 'viem'
import { Type } from '@sinclair/typebox'
import { webUrlSchema } from '../kit/config/schemas.ts'
import { fromJson, fromText, optional, withDefault, type VariableValues } from '../kit/config/variables.ts'

/** Price of one unit, by asset symbol and currency. */
export type Rates = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The configuration of on-ramps. Providers without a key are off. */
export type OnRampConfig = {
  /** Pays from an account of a development chain, without real money. */
  sandbox?: { key: Hex; rates: Rates }
  coinbase?: { keyId: string; keySecret: string; country: string; url: string }
  meld?: { key: string; country: string; url: string }
}

const amountSchema = Type.String({
  pattern: String.raw`^\d{1,12}(\.\d{1,8})?$`,
  message: 'must be a decimal number as text',
})
const keySchema = Type.Unsafe<Hex>(
  Type.String({ pattern: '^0x[0-9a-fA-F]{64}$', message: 'must be 32 bytes in hexadecimal' }),
)
const countrySchema = Type.String({ pattern: '^[A-Z]{2}$', message: 'must be a country code of two letters' })
const ratesSchema = Type.Record(Type.String(), Type.Record(Type.String(), amountSchema))
const anyText = fromText(Type.String())

/** The environment variables of on-ramps. */
export const onRampVariables = {
  ONRAMP_SANDBOX_KEY: optional((text) => fromText(keySchema)(text.trim())),
  ONRAMP_SANDBOX_RATES: withDefault(fromJson(ratesSchema), {}),
  ONRAMP_COUNTRY: withDefault(fromText(countrySchema), 'US'),
  ONRAMP_COINBASE_KEY_ID: optional(anyText),
  ONRAMP_COINBASE_KEY_SECRET: optional(anyText),
  ONRAMP_COINBASE_URL: withDefault(fromText(webUrlSchema), 'https://api.developer.coinbase.com'),
  ONRAMP_MELD_KEY: optional(anyText),
  ONRAMP_MELD_URL: withDefault(fromText(webUrlSchema), 'https://api.meld.io'),
}

/** Converts the environment variables to the configuration of on-ramps. */
export function toOnRampConfig(given: VariableValues<typeof onRampVariables>): OnRampConfig {
  const { ONRAMP_SANDBOX_KEY: sandboxKey, ONRAMP_COUNTRY: country, ONRAMP_MELD_KEY: meldKey } = given
  const { ONRAMP_COINBASE_KEY_ID: keyId, ONRAMP_COINBASE_KEY_SECRET: keySecret } = given
  return {
    ...(sandboxKey !== undefined && { sandbox: { key: sandboxKey, rates: given.ONRAMP_SANDBOX_RATES } }),
    ...(keyId !== undefined &&
      keySecret !== undefined && { coinbase: { keyId, keySecret, country, url: given.ONRAMP_COINBASE_URL } }),
    ...(meldKey !== undefined && { meld: { key: meldKey, country, url: given.ONRAMP_MELD_URL } }),
  }
}
