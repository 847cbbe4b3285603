import { expect, test } from 'vitest'
import { isBitcoinAddress } from '../chain/isBitcoinAddress.ts'
import { toBitcoinAddress, toBitcoinScript, toScriptHash } from './bitcoinScripts.ts'
import { parseBitcoinTransaction } from './parseBitcoinTransaction.ts'

const mainnet = 'bip122:000000000019d6689c085ae165831e93'

/** From BIP-173, BIP-350 and the documentation of Electrum. */
test.each([
  ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', '0014751e76e8199196d454941c45d1b3a323f1433bd6'],
  [
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
    '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
  ],
  ['bc1sw50qgdz25j', '6002751e'],
  ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', '76a91462e907b15cbf27d5425399ebf6f0fb50ebb88f1888ac'],
  ['3P14159f73E4gFr7JterCCQh9QjiTjiZrG', 'a914e9c3dd0c07aac76179ebc76a6c78d4d67c6c160a87'],
])('the script of %s is %s, and back', (address, script) => {
  expect(isBitcoinAddress(address)).toBe(true)
  expect(toBitcoinScript(address).toString('hex')).toBe(script)
  expect(toBitcoinAddress(Buffer.from(script, 'hex'), mainnet)).toBe(address)
})

test.each([
  ['bip122:0f9188f13cb7b2c71f2a335e3a4fc328', /^bcrt1/],
  ['bip122:000000000933ea01ad0ee984209779ba', /^tb1/],
])('an address on %s has the form of the network', (chainId, form) => {
  const address = toBitcoinAddress(toBitcoinScript('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'), chainId) ?? ''
  expect(address).toMatch(form)
  expect(isBitcoinAddress(address)).toBe(true)
})

test.each(['', '6a0b68656c6c6f20776f726c64', '0014751e', `0020${'00'.repeat(20)}`, `51${'14'}${'00'.repeat(41)}`])(
  'the script %j has no address',
  (script) => {
    expect(toBitcoinAddress(Buffer.from(script, 'hex'), mainnet)).toBeUndefined()
  },
)

test('the name of a script is that of the documentation of the protocol', () => {
  const name = '8b01df4e368ea28f8dc0423bcf7a4923e3a12d307c875e47a0cfbf90b5c39161'
  expect(toScriptHash(toBitcoinScript('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'))).toBe(name)
})

/** The first transaction of Bitcoin. */
const coinbase =
  '01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000'
/** The signed transaction of the example of BIP-143. */
const withWitness =
  '01000000000102fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f00000000494830450221008b9d1dc26ba6a9cb62127b02742fa9d754cd3bebf337f7a55d114c8e5cdd30be022040529b194ba3f9281a99f2b1c0a19c0489bc22ede944ccf4ecbab4cc618ef3ed01eeffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac000247304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a0220573a954c4518331561406f90300e8f3358f51928d43c212a8caed02de67eebee0121025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee635711000000'

test('a coinbase spends nothing', () => {
  const { txid, spends, outputs } = parseBitcoinTransaction(Buffer.from(coinbase, 'hex'))
  expect(txid).toBe('4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b')
  expect(spends).toEqual([undefined])
  expect(outputs.map(({ amount }) => amount)).toEqual([5_000_000_000n])
})

test('the id of a transaction leaves out its witnesses', () => {
  const { txid, spends, outputs } = parseBitcoinTransaction(Buffer.from(withWitness, 'hex'))
  expect(txid).toBe('e8151a2af31c368a35053ddd4bdb285a8595c769a3ad83e0fa02314a602d4609')
  expect(spends).toEqual([
    { txid: '9f96ade4b41d5433f4eda31e1738ec2b36f6e7d1420d94a6af99801a88f7f7ff', index: 0 },
    { txid: '8ac60eb9575db5b2d987e29f301b5b819ea83a5c6579d282d189cc04b8e151ef', index: 1 },
  ])
  expect(outputs.map(({ amount }) => amount)).toEqual([112_340_000n, 223_450_000n])
})

test('bytes that are not one whole transaction are refused', () => {
  const bytes = Buffer.from(withWitness, 'hex')
  for (let length = 0; length < bytes.length; length += 1) {
    expect(() => parseBitcoinTransaction(bytes.subarray(0, length))).toThrow('ends too early')
  }
  expect(() => parseBitcoinTransaction(Buffer.concat([bytes, Buffer.of(0)]))).toThrow('follow')
  expect(() => parseBitcoinTransaction(Buffer.from(`01000000${'ff'.repeat(9)}`, 'hex'))).toThrow('ends too early')
})
