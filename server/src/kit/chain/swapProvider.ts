import { Type } from '@sinclair/typebox'
import { contractSchema, webUrlSchema } from '../config/schemas.ts'

/** A third-party service that finds swap routes. */
export type SwapProvider = {
  kind: '0x'
  /** The base URL, if it differs from the usual one. */
  url?: string
  /** The operator's API key. It is sent to the provider only and never logged. */
  key: string
  /** The contract that takes the tokens, if it differs from the usual one. No other contract is approved or called. */
  spender?: string
}

/** The schema of the swap provider of a configured chain. */
export const swapProviderSchema = Type.Object({
  kind: Type.Literal('0x'),
  url: Type.Optional(webUrlSchema),
  key: Type.String({ minLength: 1, maxLength: 512 }),
  spender: Type.Optional(contractSchema),
})
