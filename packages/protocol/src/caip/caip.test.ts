import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatAssetId, parseAssetId, type ParsedAssetId } from './assetId.ts'
import {
  formatAccountId,
  formatChainId,
  isAccountId,
  isChainId,
  parseAccountId,
  parseChainId,
  type ChainId,
} from './accountId.ts'
import { isLatchkeyError } from '../errors.ts'
import { namespaces } from '../namespaces.ts'

const runs = { numRuns: 1_000 }

// The grammars as CAIP-2, CAIP-10 and CAIP-19 define them, with their own character sets.
const chainNamespace = fc.stringMatching(/^[-a-z0-9]{3,8}$/)
const chainReference = fc.stringMatching(/^[-_a-zA-Z0-9]{1,32}$/)
const knownNamespace = fc.constantFrom(...namespaces)
const address = fc.stringMatching(/^[-.%a-zA-Z0-9]{1,128}$/)
const tokenId = fc.stringMatching(/^[-.%a-zA-Z0-9]{1,78}$/)
/** Strings that resemble an identifier, so that rejecting them is not trivial. */
const nearly = fc.oneof(
  fc.string(),
  fc.stringMatching(/^[-:/.%_a-zA-Z0-9]{0,60}$/),
  fc.array(fc.constantFrom('eip155', ':', '1', '0xab', '/', 'erc20', '١', '%', ' ', '\n', 'é', '__proto__')).map(join),
)

function join(parts: readonly string[]): string {
  return parts.join('')
}

function codeOf(action: () => unknown): unknown {
  try {
    action()
    return undefined
  } catch (error) {
    return isLatchkeyError(error) ? error.code : error
  }
}

describe('CAIP-2 chain id', () => {
  test.each([
    ['eip155:1', 'eip155', '1'],
    ['bip122:000000000019d6689c085ae165831e93', 'bip122', '000000000019d6689c085ae165831e93'],
    ['bip122:12a765e31ffd4059bada1e25190f6e98', 'bip122', '12a765e31ffd4059bada1e25190f6e98'],
    ['bip122:fdbe99b90c90bae7505796461471d89a', 'bip122', 'fdbe99b90c90bae7505796461471d89a'],
    ['cosmos:cosmoshub-2', 'cosmos', 'cosmoshub-2'],
    ['cosmos:cosmoshub-3', 'cosmos', 'cosmoshub-3'],
    ['cosmos:Binance-Chain-Tigris', 'cosmos', 'Binance-Chain-Tigris'],
    ['cosmos:iov-mainnet', 'cosmos', 'iov-mainnet'],
    ['starknet:SN_GOERLI', 'starknet', 'SN_GOERLI'],
    ['lip9:9ee11e9df416b18b', 'lip9', '9ee11e9df416b18b'],
    ['chainstd:8c3444cf8970a9e41a706fab93e7a6c4', 'chainstd', '8c3444cf8970a9e41a706fab93e7a6c4'],
  ])('parses the CAIP-2 example %s [R5.1.1] [G-01]', (value, namespace, reference) => {
    expect(parseChainId(value)).toEqual({ namespace, reference })
    expect(formatChainId({ namespace, reference })).toBe(value)
  })

  test.each([
    '',
    ':',
    'eip155',
    'eip155:',
    ':1',
    'eip155:1:2',
    'EIP155:1',
    'ei:1',
    'eip155155:1',
    `eip155:${'1'.repeat(33)}`,
    'eip155:١',
    'eip155:%31',
    ' eip155:1',
    'eip155:1\n',
  ])('rejects %j as invalid [R5.1.1] [G-01]', (value) => {
    expect(codeOf(() => parseChainId(value))).toBe('caip/invalid')
    expect(isChainId(value)).toBe(false)
  })

  test('parses back to the same parts after formatting [G-01]', () => {
    fc.assert(
      fc.property(chainNamespace, chainReference, (namespace, reference) => {
        expect(parseChainId(formatChainId({ namespace, reference }))).toEqual({ namespace, reference })
      }),
      runs,
    )
  })

  test('formatting rejects parts that would parse to different parts [G-01]', () => {
    fc.assert(
      fc.property(nearly, nearly, (namespace, reference) => {
        const parts = { namespace, reference }
        expect([undefined, 'caip/invalid']).toContain(
          codeOf(() => expect(parseChainId(formatChainId(parts))).toEqual(parts)),
        )
      }),
      runs,
    )
  })
})

describe('CAIP-10 account id', () => {
  test.each([
    ['eip155:1:0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb', '0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb'],
    [
      'bip122:000000000019d6689c085ae165831e93:128Lkh3S7CkDTBZ8W7BbpsN3YYizJMp8p6',
      '128Lkh3S7CkDTBZ8W7BbpsN3YYizJMp8p6',
    ],
    [
      'polkadot:b0a8d493285c2df73290dfb7e61f870f:5hmuyxw9xdgbpptgypokw4thfyoe3ryenebr381z9iaegmfy',
      '5hmuyxw9xdgbpptgypokw4thfyoe3ryenebr381z9iaegmfy',
    ],
  ])('parses the CAIP-10 example %s [R1.7] [R5.1.1] [G-01]', (value, address) => {
    const parts = parseAccountId(value)
    expect(parts).toMatchObject({ address, chainId: value.slice(0, value.lastIndexOf(':')) })
    expect(formatAccountId(parts)).toBe(value)
    expect(isAccountId(value)).toBe(true)
  })

  test.each([
    'cosmos:cosmoshub-3:cosmos1t2uflqwqe0fsj0shcfkrvpukewcw40yjj6hdc0',
    'hedera:mainnet:0.0.1234567890-zbhlt',
    'chainstd:8c3444cf8970a9e41a706fab93e7a6c4:6d9b0b4b9994e8a6afbd3dc3ed983cd51c755afb27cd1dc7825ef59c134a39f7',
  ])('rejects the CAIP-10 example %s of an unsupported namespace [R1.7] [R5.1.1]', (value) => {
    expect(codeOf(() => parseAccountId(value))).toBe('caip/invalid')
    expect(isAccountId(value)).toBe(false)
  })

  test.each([
    '',
    'eip155:1',
    'eip155:1:',
    'eip155::0xab',
    ':1:0xab',
    'eip155:1:0xab:cd',
    'eip155:1:0x/ab',
    'EIP155eip155:1:0xab',
    ' eip155:1:0xab',
    'eip155:1:0xäb',
    'eip155:1:0xab ',
    '0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb@eip155:1',
    `eip155:1:${'a'.repeat(129)}`,
  ])('rejects %j as invalid [R5.1.1] [G-01]', (value) => {
    expect(codeOf(() => parseAccountId(value))).toBe('caip/invalid')
    expect(isAccountId(value)).toBe(false)
  })

  test('parses back to the same parts after formatting [G-01]', () => {
    fc.assert(
      fc.property(knownNamespace, chainReference, address, (namespace, reference, address) => {
        const chainId: ChainId = `${namespace}:${reference}`
        expect(parseAccountId(formatAccountId({ chainId, address }))).toEqual({
          namespace,
          reference,
          chainId,
          address,
        })
      }),
      runs,
    )
  })

  test('formatting rejects parts that would parse to different parts [G-01]', () => {
    fc.assert(
      fc.property(
        fc.oneof(nearly, fc.constant('eip155')),
        fc.oneof(nearly, fc.constant('1:0xab')),
        (chainId, address) => {
          // Callers from JavaScript pass what they like.
          const parts = { chainId: chainId as ChainId, address }
          const outcome = codeOf(() => expect(parseAccountId(formatAccountId(parts))).toMatchObject(parts))
          expect([undefined, 'caip/invalid']).toContain(outcome)
        },
      ),
      runs,
    )
  })
})

describe('CAIP-19 asset id', () => {
  test.each([
    'eip155:1/slip44:60',
    'bip122:000000000019d6689c085ae165831e93/slip44:0',
    'cosmos:cosmoshub-3/slip44:118',
    'bip122:12a765e31ffd4059bada1e25190f6e98/slip44:2',
    'cosmos:Binance-Chain-Tigris/slip44:714',
    'cosmos:iov-mainnet/slip44:234',
    'lip9:9ee11e9df416b18b/slip44:134',
    'eip155:1/erc20:0x6b175474e89094c44da98b954eedeac495271d0f',
    'eip155:1/erc721:0x06012c8cf97BEaD5deAe237070F9587f8E7A266d',
    'eip155:1/erc721:0x06012c8cf97BEaD5deAe237070F9587f8E7A266d/771769',
    'hedera:mainnet/nft:0.0.55492/12',
  ])('parses and formats the CAIP-19 example %s unchanged [G-01]', (value) => {
    expect(formatAssetId(parseAssetId(value))).toBe(value)
  })

  test('parses tokenId for one token, and undefined for a whole collection', () => {
    const collection = 'eip155:1/erc721:0x06012c8cf97BEaD5deAe237070F9587f8E7A266d'
    expect(parseAssetId(`${collection}/771769`).tokenId).toBe('771769')
    expect(parseAssetId(collection)).toEqual({
      chainId: 'eip155:1',
      assetNamespace: 'erc721',
      assetReference: '0x06012c8cf97BEaD5deAe237070F9587f8E7A266d',
      tokenId: undefined,
    })
  })

  test.each([
    '',
    'eip155:1',
    'eip155:1/erc20',
    'eip155:1/erc20:',
    '/erc20:0xab',
    'eip155:1/ERC20:0xab',
    'eip155:1/er:0xab',
    ' eip155:1/erc20:0xab',
    'eip155:1/erc20:0xab ',
    'eip155:1/erc20:0xab/',
    'eip155:1/erc20:0xab:cd',
    `eip155:1/erc20:${'a'.repeat(129)}`,
    `eip155:1/erc721:0xab/${'1'.repeat(79)}`,
  ])('rejects %j as invalid [G-01]', (value) => {
    expect(codeOf(() => parseAssetId(value))).toBe('caip/invalid')
  })

  test('parses back to the same parts after formatting [G-01]', () => {
    const parts = fc.record({
      chainId: fc
        .tuple(chainNamespace, chainReference)
        .map(([namespace, reference]): ChainId => `${namespace}:${reference}`),
      assetNamespace: chainNamespace,
      assetReference: address,
      tokenId: fc.option(tokenId, { nil: undefined }),
    })
    fc.assert(
      fc.property(parts, (parts) => {
        expect(parseAssetId(formatAssetId(parts))).toEqual(parts)
      }),
      runs,
    )
  })

  test('formatting rejects parts that would parse to different parts [G-01]', () => {
    const parts = fc.record({
      // Callers from JavaScript pass what they like.
      chainId: nearly.map((text) => text as ChainId),
      assetNamespace: nearly,
      assetReference: fc.oneof(nearly, fc.constant('0xab/5')),
      tokenId: fc.option(nearly, { nil: undefined }),
    })
    const outcome = (parts: ParsedAssetId): unknown =>
      codeOf(() => expect(parseAssetId(formatAssetId(parts))).toEqual(parts))
    fc.assert(
      fc.property(parts, (parts) => {
        expect([undefined, 'caip/invalid']).toContain(outcome(parts))
      }),
      runs,
    )
    const smuggled = {
      chainId: 'eip155:1',
      assetNamespace: 'erc721',
      assetReference: '0xab/5',
      tokenId: undefined,
    } as const
    expect(outcome(smuggled)).toBe('caip/invalid')
  })
})

test.each([
  ['chain id', () => parseChainId('eip155'), 'eip155'],
  ['account id', () => parseAccountId('eip155:1'), 'eip155:1'],
  ['account id', () => formatAccountId({ chainId: 'eip155:1', address: '' }), 'eip155:1:'],
  ['asset id', () => parseAssetId('eip155:1/'), 'eip155:1/'],
  [
    'asset id',
    () =>
      formatAssetId({ chainId: 'eip155:1', assetNamespace: 'erc721', assetReference: '0xab/5', tokenId: undefined }),
    'eip155:1/erc721:0xab/5',
  ],
])('the error about an invalid %s contains its value', (kind, action, value) => {
  expect(action).toThrow(expect.objectContaining({ code: 'caip/invalid', context: { kind, value } }))
})

test('CAIP parsers throw only errors with a code for any string [G-01]', () => {
  fc.assert(
    fc.property(nearly, (value) => {
      for (const parse of [parseChainId, parseAccountId, parseAssetId]) {
        expect([undefined, 'caip/invalid']).toContain(codeOf(() => parse(value)))
      }
      expect(isChainId(value)).toBe(codeOf(() => parseChainId(value)) === undefined)
      expect(isAccountId(value)).toBe(codeOf(() => parseAccountId(value)) === undefined)
    }),
    runs,
  )
})
