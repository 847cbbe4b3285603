import { Type } from '@sinclair/typebox'
import { fromFile, fromList, fromText, optional, withDefault } from '../kit/config/variables.ts'

/** The configuration of names. */
export type NamesConfig = {
  /** Suffixes that names may have, without their dot: new ones get the first, the others are older ones. */
  zones: readonly string[]
  /** Signs responses to ENS clients. Without it they get no responses. */
  signerKey: `0x${string}` | undefined
}

const zoneSchema = Type.String({
  pattern: String.raw`^[a-z0-9-]+(?:\.[a-z0-9-]+)*$`,
  message: 'must be like names.example,older.example',
})
const signerKeySchema = Type.Unsafe<`0x${string}`>(
  Type.String({ pattern: '^0x[0-9a-fA-F]{64}$', message: 'must be 32 bytes in hexadecimal' }),
)

/** The environment variables of names. */
export const namesVariables = {
  NAMES_ZONE: withDefault(parseZones, []),
  NAMES_SIGNER_KEY: optional(parseSignerKey),
  NAMES_SIGNER_KEY_FILE: optional(fromFile(parseSignerKey)),
}

/** Accepts `.example` for `example`, in any case. */
function parseZones(text: string): readonly string[] {
  return fromList(zoneSchema)(text.toLowerCase().replaceAll(/(^|,)\s*\./g, '$1'))
}

function parseSignerKey(text: string): `0x${string}` {
  return fromText(signerKeySchema)(text.trim())
}
