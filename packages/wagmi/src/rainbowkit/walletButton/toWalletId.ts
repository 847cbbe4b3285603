/** The ids of wallet buttons whose wallet has another name: its reverse-DNS name, or its name in the list. */
const walletIds: { readonly [id: string]: string | undefined } = {
  argent: 'Argent',
  bitget: 'com.bitget.web3',
  bitgetwallet: 'com.bitget.web3',
  brave: 'com.brave.wallet',
  braveWallet: 'com.brave.wallet',
  bybit: 'com.bybit',
  coinbase: 'com.coinbase.wallet',
  coinbaseWallet: 'com.coinbase.wallet',
  imtoken: 'im.token.app',
  ledger: 'Ledger Live',
  metamask: 'io.metamask',
  metaMask: 'io.metamask',
  okx: 'com.okex.wallet',
  phantom: 'app.phantom',
  rabby: 'io.rabby',
  rainbow: 'me.rainbow',
  safe: 'Safe',
  safepal: 'SafePal',
  tokenPocket: 'pro.tokenpocket',
  trust: 'com.trustwallet.app',
  uniswap: 'org.uniswap.app',
  walletconnect: 'walletConnect',
  zerion: 'io.zerion.wallet',
}

/** Returns the id by which Latchkey finds a wallet. Other ids are returned unchanged: they can be names, too. */
export function toWalletId(id: string): string {
  return walletIds[id] ?? id
}
