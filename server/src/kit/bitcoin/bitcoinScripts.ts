import { base58, bech32, bech32m } from '@scure/base'
import { sha256 } from '../secrets/sha256.ts'

/** The forms of addresses: the prefix of Bech32, and the version bytes of P2PKH and P2SH. */
type AddressForm = { prefix: 'bc' | 'tb' | 'bcrt'; keyHash: number; scriptHash: number }

const mainForm: AddressForm = { prefix: 'bc', keyHash: 0x00, scriptHash: 0x05 }
const testForm: AddressForm = { prefix: 'tb', keyHash: 0x6f, scriptHash: 0xc4 }
const localForm: AddressForm = { ...testForm, prefix: 'bcrt' }

const forms: Readonly<Record<string, AddressForm>> = {
  'bip122:000000000019d6689c085ae165831e93': mainForm,
  'bip122:0f9188f13cb7b2c71f2a335e3a4fc328': localForm,
}

const [hashBytes, checksumBytes] = [20, 4]
/** OP_1 is 0x51; OP_0 is 0. */
const opcodeBeforeOne = 0x50
const maxVersion = 16

/**
 * Gets the output script of an address: P2PKH, P2SH, or a witness program (BIP-141, BIP-341).
 *
 * @param address that `isBitcoinAddress` accepts
 * @throws Error for another address
 * @example toBitcoinScript('bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq')
 */
export function toBitcoinScript(address: string): Buffer {
  const decoded = bech32.decodeUnsafe(address) ?? bech32m.decodeUnsafe(address)
  if (decoded !== undefined) {
    const [version = 0, ...words] = decoded.words
    const program = bech32.fromWords(words)
    return Buffer.from([version === 0 ? 0 : opcodeBeforeOne + version, program.length, ...program])
  }
  const bytes = base58.decode(address)
  if (bytes.length !== 1 + hashBytes + checksumBytes) throw new Error('The address is invalid.')
  const [version, hash] = [bytes[0], bytes.subarray(1, 1 + hashBytes)]
  const isScriptHash = version === mainForm.scriptHash || version === testForm.scriptHash
  return Buffer.from(isScriptHash ? [0xa9, hashBytes, ...hash, 0x87] : [0x76, 0xa9, hashBytes, ...hash, 0x88, 0xac])
}

/**
 * Gets the address of an output script on a network. Returns undefined if the script has no address.
 *
 * @param chainId CAIP-2 id
 * @example toBitcoinAddress(script, 'bip122:000000000019d6689c085ae165831e93')
 */
export function toBitcoinAddress(script: Buffer, chainId: string): string | undefined {
  const { prefix, keyHash, scriptHash } = forms[chainId] ?? testForm
  const text = script.toString('hex')
  const [, ofKey] = /^76a914([0-9a-f]{40})88ac$/.exec(text) ?? []
  if (ofKey !== undefined) return encodeBase58(keyHash, ofKey)
  const [, ofScript] = /^a914([0-9a-f]{40})87$/.exec(text) ?? []
  if (ofScript !== undefined) return encodeBase58(scriptHash, ofScript)
  const opcode = script[0] ?? -1
  const version = opcode === 0 ? 0 : opcode - opcodeBeforeOne
  const isProgram = script.length >= 4 && script.length <= 42 && script[1] === script.length - 2
  const isKnown = version === 0 ? script.length === 22 || script.length === 34 : version >= 1 && version <= maxVersion
  if (!isProgram || !isKnown) return undefined
  const coder = version === 0 ? bech32 : bech32m
  return coder.encode(prefix, [version, ...coder.toWords(script.subarray(2))])
}

/**
 * Gets the name under which Electrum servers list an output script: its SHA-256 with reversed bytes, as hexadecimal digits.
 *
 * @example toScriptHash(toBitcoinScript('bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'))
 */
export function toScriptHash(script: Buffer): string {
  return Buffer.from(sha256(script).toReversed()).toString('hex')
}

function encodeBase58(version: number, hash: string): string {
  const body = Buffer.concat([Buffer.from([version]), Buffer.from(hash, 'hex')])
  return base58.encode(Buffer.concat([body, sha256(sha256(body)).subarray(0, checksumBytes)]))
}
