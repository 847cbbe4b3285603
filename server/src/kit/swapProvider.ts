import { z } from 'zod'

/** Somebody else's service that finds ways to swap, with the key that it knows the operator by. */
export type SwapProvider = {
  kind: '0x'
  /** Where it is, when not at its usual address. */
  url?: string
  /** It goes to that address alone, and into no log. */
  key: string
  /** The contract that takes tokens for it, when not the usual one: nothing else is ever approved or called. */
  spender?: string
}

/** The swap provider of a configured chain. */
export const swapProviderSchema = z.object({
  kind: z.literal('0x'),
  url: z.url({ protocol: /^https?$/ }).optional(),
  key: z.string().min(1).max(512),
  spender: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, 'must be a contract')
    .optional(),
})
