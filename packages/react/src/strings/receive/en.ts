import type { ReceiveTexts } from './texts.ts'

export const en: ReceiveTexts = {
  qr: (network) => `QR code of your address on ${network}`,
  only: (network) => `Send only assets on ${network} to this address. Anything else may be lost.`,
  share: 'Share',
  works: (count) => (count === 1 ? 'Works on 1 network' : `Works on ${count} networks`),
  hint: 'On each of these networks the address is yours. Whoever pays you chooses one of them.',
  none: 'Connect a wallet to see your address.',
}
