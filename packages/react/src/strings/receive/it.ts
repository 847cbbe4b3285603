import type { ReceiveTexts } from './texts.ts'

export const strings: ReceiveTexts = {
  qr: (network) => `Codice QR del tuo indirizzo su ${network}`,
  only: (network) => `Invia a questo indirizzo solo asset su ${network}. Tutto il resto potrebbe andare perso.`,
  share: 'Condividi',
  works: (count) => (count === 1 ? 'Valido su 1 rete' : `Valido su ${count} reti`),
  hint: 'Su ognuna di queste reti l’indirizzo è tuo. Chi ti paga ne sceglie una.',
  none: 'Collega un wallet per vedere il tuo indirizzo.',
}
