import type { Exchange } from '../../kit/chain/exchange.ts'

/** The fee tiers of version 3 pools, in millionths. */
const fees = [100, 500, 3_000, 10_000] as const
/** The first deployment of version 3, with the router that accepts both kinds of pools. */
const first = {
  router: '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45',
  v3: {
    factory: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
    quoter: '0x61fFE014bA17989E743c5F6cB21bF9697530B21e',
    fees,
  },
} as const
const optimismWrapped = '0x4200000000000000000000000000000000000006'

/**
 * The exchanges of known chains, from their published addresses. No swap was sent to them from here yet. Pairs are used
 * where the router is known to support them. The operator's `exchange` overrides these.
 */
export const knownExchanges: Readonly<Record<string, Exchange>> = {
  'eip155:1': {
    ...first,
    wrappedNative: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    v2: { factory: '0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f' },
    between: ['0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', '0xdAC17F958D2ee523a2206206994597C13D831ec7'],
  },
  'eip155:10': { ...first, wrappedNative: optimismWrapped, between: ['0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85'] },
  'eip155:56': {
    wrappedNative: '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c',
    router: '0xB971eF87ede563556b2ED4b1C0b0019111Dd85d2',
    v3: {
      factory: '0xdB1d10011AD0Ff90774D0C6Bb92e5C5c8b4461F7',
      quoter: '0x78D78E420Da98ad378D7799bE8f4AF69033EB077',
      fees,
    },
    between: ['0x55d398326f99059fF775485246999027B3197955'],
  },
  'eip155:100': {
    wrappedNative: '0xe91D153E0b41518A2Ce8Dd3D7944Fa863463a97d',
    router: '0x1C232F01118CB8B424793ae03F870aa7D0ac7f77',
    routerKind: 'pairs',
    v2: { name: 'Honeyswap', factory: '0xA818b4F111Ccac7AA31D0BCc0806d64F2E0737D7' },
  },
  'eip155:137': {
    ...first,
    wrappedNative: '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270',
    between: ['0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'],
  },
  'eip155:250': {
    wrappedNative: '0x21be370D5312f44cB42ce377BC9b8a0cEF1A4C83',
    router: '0xF491e7B69E4244ad4002BC14e878a34207E38c29',
    routerKind: 'pairs',
    v2: { name: 'SpookySwap', factory: '0x152eE697f2E276fA89E96742e9bB9aB1F2E61bE3', fee: 20 },
  },
  'eip155:324': {
    wrappedNative: '0x5AEa5775959fBC2557Cc8789bC1bf90A239D9a91',
    router: '0x99c56385daBCE3E81d8499d0b8d0257aBC07E8A3',
    v3: {
      factory: '0x8FdA5a7a8dCA67BBcDd10F02Fa0649A937215422',
      quoter: '0x8Cb537fc92E26d8EBBb760E632c95484b6Ea3e28',
      fees,
    },
  },
  'eip155:8453': {
    wrappedNative: optimismWrapped,
    router: '0x2626664c2603336E57B271c5C0b26F421741e481',
    v3: {
      factory: '0x33128a8fC17869897dcE68Ed026d694621f6FDfD',
      quoter: '0x3d4e44Eb1374240CE5F1B871ab261CD16335B76a',
      fees,
    },
    between: ['0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
  },
  'eip155:42161': {
    ...first,
    wrappedNative: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
    between: ['0xaf88d065e77c8cC2239327C5EDb3A432268e5831'],
  },
  'eip155:43114': {
    wrappedNative: '0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7',
    router: '0xbb00FF08d01D300023C629E8fFfFcb65A5a578cE',
    v3: {
      factory: '0x740b1c1de25031C31FF4fC9A62f554A55cdC1baD',
      quoter: '0xbe0F5544EC67e9B3b2D979aaA43f18Fd87E6257F',
      fees,
    },
    between: ['0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'],
  },
  'eip155:1313161554': {
    wrappedNative: '0xC9BdeEd33CD01541e1eeD10f90519d2C06Fe3feB',
    router: '0x2CB45Edb4517d5947aFdE3BEAbF95A582506858B',
    routerKind: 'pairs',
    v2: { name: 'Trisolaris', factory: '0xc66F594268041dB60507F00703b152492fb176E7' },
  },
}
