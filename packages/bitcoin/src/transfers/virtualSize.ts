/** The scripts whose outputs a payment can spend: P2PKH, P2SH-P2WPKH, P2WPKH, P2TR. */
export type PayerKind = 'pkh' | 'sh' | 'wpkh' | 'tr'

/** The weight of an input in weight units (BIP-141), with the largest signature. */
const inputWeights: Readonly<Record<PayerKind, bigint>> = { pkh: 592n, sh: 364n, wpkh: 272n, tr: 230n }

/** The size of a payment's parts. */
type PaymentShape = {
  readonly payer: PayerKind
  readonly inputs: number
  /** The length of each output's script, in bytes. */
  readonly outputs: readonly number[]
}

/** Returns the size of a payment in virtual bytes (BIP-141), rounded up. It is never smaller than the signed payment. */
export function getVirtualSize({ payer, inputs, outputs }: PaymentShape): bigint {
  // Version, lock time, and the numbers of inputs and outputs.
  const fixed = 4 + 4 + (inputs < 253 ? 1 : 3) + 1
  const bytes = outputs.reduce((sum, length) => sum + 8 + 1 + length, fixed)
  const marker = payer === 'pkh' ? 0n : 2n
  const weight = BigInt(bytes) * 4n + marker + BigInt(inputs) * inputWeights[payer]
  return (weight + 3n) / 4n
}

/** Returns the fee of a size, rounded up. The rate is in satoshis per 1,000 virtual bytes. */
export function getFee(virtualSize: bigint, feeRate: bigint): bigint {
  return (virtualSize * feeRate + 999n) / 1_000n
}

/** Returns the smallest amount that nodes relay to a script. A smaller output costs more to spend than it holds. */
export function getDustLimit(script: Uint8Array): bigint {
  const [version = 0, length] = script
  const isWitness = (version === 0 || (version >= 0x51 && version <= 0x60)) && length === script.length - 2
  return BigInt(8 + 1 + script.length + (isWitness ? 67 : 148)) * 3n
}
