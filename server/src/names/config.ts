import { z } from 'zod'

/** What a server is told of names. */
export type NamesConfig = {
  /** Suffixes that names may have, without their dot: new ones get the first, the others are older ones. */
  zones: readonly string[]
  /** Signs what ENS clients are told; they are told nothing without. */
  signerKey: `0x${string}` | undefined
}

const zone = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/

const zonesOf = z
  .string()
  .transform((text) => text.split(',').map((each) => each.trim().replace(/^\./, '').toLowerCase()))
  .pipe(z.array(z.string().regex(zone, 'must be like names.example,older.example')))

const keyOf = z
  .string()
  .trim()
  .regex(/^0x[0-9a-f]{64}$/i, 'must be 32 bytes in hexadecimal')
  // The pattern is that of the type.
  .transform((text) => text as `0x${string}`)

/** The part of the configuration that names read. `inFile` takes the text of a file in the place of its name. */
export const namesConfig = { NAMES_ZONE: zonesOf.default([]), NAMES_SIGNER_KEY: keyOf.optional() }

/** The key, as it stands in a file of its own. */
export const signerKeySchema = keyOf
