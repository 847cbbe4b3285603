import type { Hex } from 'viem'

/**
 * The keys of the phrase that development chains share ("test test … junk"), by namespace. The same in each run, and their
 * accounts hold coins on the chains of `startTestWorld`. They are public: never send anything of value to them.
 *
 * @example createSimulatedExtension({ privateKeys: [testKeys.eip155[0]], rpcUrls: { 31337: url }, chainId: 31337 })
 */
export const testKeys: {
  readonly eip155: readonly [Hex, Hex, Hex]
  readonly solana: readonly [string, string, string]
  readonly bip122: readonly [string, string, string]
  readonly polkadot: readonly [string, string, string]
} = {
  eip155: [
    '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
    '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
    '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
  ],
  solana: [
    'a01c67efb5cb8f62f15907a9fcf124c73d2695c8a9a31f21c05742a31ca1dc72',
    '3f25626cf245c8dd65a2b91a70e6f4c285182489fda230e2553c3752aa962b61',
    '8eabe4c79ac3a146c1bc447a64233ea70694669b997b0565039471b2939e8c5e',
  ],
  bip122: [
    'b5c8b4acf7b66682afbc5eef20c3b12998ba3c14a97047c9187454377f1a7856',
    '2ea9ba050147af0a7e5bc697b588ee630552766810398242f3c4b9ce25c3cfd7',
    '1d100560fb83ffd36c8658032a7dd8f3971987fb35fbe6559c2835fe491b0074',
  ],
  // The well-known seeds of Alice, Bob and Charlie.
  polkadot: [
    'e5be9a5092b81bca64be81d212e7f2f9eba183bb7a90954f7b76361f6edb5c0a',
    '398f0c28f98885e046333d4a41c19cee4c37368a9832c6502f6cfd182e2aef89',
    'bc1ede780f784bb6991a585e4f6e61522c14e1cae6ad0895fb57b9a205a8f938',
  ],
}
