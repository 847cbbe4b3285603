import { pow } from '@noble/curves/abstract/modular.js'
import { montgomery, type MontgomeryECDH } from '@noble/curves/abstract/montgomery.js'

const prime = 2n ** 255n - 19n

/**
 * X25519 (RFC 7748) on noble's Montgomery ladder. Noble's own ready-made instance brings all of Ed25519 along to
 * multiply the base point faster, which for one key per connection costs a page more than it saves.
 */
export const x25519: MontgomeryECDH = /* @__PURE__ */ montgomery({
  P: prime,
  type: 'x25519',
  powPminus2: (x) => pow(x, prime - 2n, prime),
  adjustScalarBytes(bytes: Uint8Array): Uint8Array {
    const [first = 0] = bytes
    const last = bytes[31] ?? 0
    bytes[0] = first & 248
    bytes[31] = (last & 127) | 64
    return bytes
  },
})
