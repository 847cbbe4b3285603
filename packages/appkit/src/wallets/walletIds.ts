// The ids that apps of AppKit pass, with the reverse-DNS name of the wallet, or its name if it has none.

/** The ids of the WalletConnect explorer, which options take. */
const explorerIds: Readonly<Record<string, string>> = {
  c57ca95b47569778a828d19178114f4db188b89b763c899ba0be274e97267d96: 'io.metamask',
  '4622a2b2d6af1c9844944291e5e7351a6aa24cd7b23099efac1b2fd875da31a0': 'com.trustwallet.app',
  fd20dc426fb37566d803205b19bbc1d4096b248ac04548e3cfb6b3a38bd033aa: 'com.coinbase.wallet',
  '1ae92b26df02f0abca6304df07debccd18262fdf5fe82daa81593582dac9a369': 'me.rainbow',
  '971e689d0a5be527bac79629b4ee9b925e82208e5168b733496a09c0faed0709': 'com.okex.wallet',
  c03dfee351b6fcc421b4494ea33b9d4b92a984f87aa76d1663bb28705e95034a: 'org.uniswap.app',
  '19177a98252e07ddfc9af2083ba8e07ef627cb6103467ffebb3f8f4205fd7927': 'Ledger Live',
  a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393: 'app.phantom',
  ecc4036f814562b41a5268adc86270fba1365471402006302e70169465b7ac18: 'io.zerion.wallet',
  '225affb176778569276e484e1b92637ad061b01e13a048b35a9d280c3b58970f': 'Safe',
  '38f5d18bd8522c244bdd70cb4a68e0e718865155811c043f052fb9f1c51de662': 'com.bitget.web3',
  '8a0ee50d1f22f6651afcae7eb4253e52a3310b90af5daef78a8c4929a9bb99d4': 'com.binance.wallet',
  ef333840daf915aafdc4a004525502d6d49d77bd9c65e0642dbaefb3c2893bef: 'im.token.app',
  '20459438007b75f4f4acb98bf29aa3b800550309646d375da5fd4aac6c2a2c66': 'pro.tokenpocket',
  '18388be9ac2d02726dbac9777c96efaac06d744b2f6d580fccdd4127a6d01fd1': 'io.rabby',
}

/** The ids of wallet buttons. */
const buttonIds: Readonly<Record<string, string>> = {
  coinbase: 'com.coinbase.wallet',
  metamask: 'io.metamask',
  trust: 'com.trustwallet.app',
  okx: 'com.okex.wallet',
  bitget: 'com.bitget.web3',
  binance: 'com.binance.wallet',
  uniswap: 'org.uniswap.app',
  safepal: 'SafePal',
  rainbow: 'me.rainbow',
  bybit: 'com.bybit',
  tokenpocket: 'pro.tokenpocket',
  ledger: 'Ledger Live',
  'timeless-x': 'Timeless X',
  safe: 'Safe',
  zerion: 'io.zerion.wallet',
  oneinch: '1inch Wallet',
  'crypto-com': 'com.crypto.wallet',
  imtoken: 'im.token.app',
  kraken: 'Kraken Wallet',
  ronin: 'com.roninchain.wallet',
  robinhood: 'com.robinhood.wallet',
  exodus: 'com.exodus.web3-wallet',
  argent: 'Argent',
  jupiter: 'Jupiter',
  solflare: 'com.solflare',
  phantom: 'app.phantom',
  coin98: 'com.coin98',
  'magic-eden': 'io.magiceden.wallet',
  backpack: 'app.backpack',
  frontier: 'xyz.frontier.wallet',
  xverse: 'Xverse',
  leather: 'Leather',
  haha: 'HaHa Wallet',
  'ambire-wallet': 'com.ambire.wallet',
  bitpay: 'BitPay',
  'blade-wallet': 'Blade Wallet',
  brave: 'com.brave.wallet',
  coinstats: 'CoinStats Wallet',
  'kresus-superapp': 'Kresus',
  'plena-app': 'PLENA',
  status: 'Status',
  'tomo-wallet': 'inc.tomo',
  valora: 'Valora',
  'zengo-wallet': 'Zengo',
}

/**
 * Returns the id by which Latchkey finds a wallet: its reverse-DNS name, or its name.
 *
 * @param id an id of the WalletConnect explorer or of a wallet button; others are returned unchanged
 */
export function toWalletId(id: string): string {
  return explorerIds[id] ?? buttonIds[id] ?? id
}
